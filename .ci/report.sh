# Sections with their time, and the counted total. Sourced by .ci/run.
# Results are lines "PASSED FAILED NAME" in a file, so that a background job can also add to them.
work=$(mktemp -d)
results=$work/results
touch "$results"
section_name=''
section_start=$SECONDS

section() {
  end_section
  section_name=$1
  section_start=$SECONDS
  printf '\n== %s\n' "$section_name"
}

end_section() {
  if [ -n "$section_name" ]; then printf '   %s: %d s\n' "$section_name" $((SECONDS - section_start)); fi
  section_name=''
}

# check NAME COMMAND…: one check. Shows the command's output only if it fails.
check() {
  local name=$1 log=$work/check-$BASHPID.log start=$SECONDS
  shift
  if ("$@") >"$log" 2>&1; then
    echo "1 0 $name" >>"$results"
    printf '   ok      %s (%d s)\n' "$name" $((SECONDS - start))
  else
    echo "0 1 $name" >>"$results"
    printf '   FAILED  %s (%d s)\n' "$name" $((SECONDS - start))
    tail -n 80 "$log"
    return 1
  fi
}

# check_and_show NAME COMMAND…: the same, with the output of a success.
check_and_show() {
  check "$@" && cat "$work/check-$BASHPID.log"
}

# tests NAME COMMAND…: a run of Vitest. Counts each of its tests. Adds reporters to the end of the command.
tests() {
  local name=$1 log=$work/tests-$BASHPID.log json=$work/tests-$BASHPID.json counts code=0
  shift
  rm -f "$json"
  "$@" --reporter=default --reporter=json --outputFile.json="$json" >"$log" 2>&1 || code=$?
  counts=$(node .ci/count-tests.mjs "$json" "$code")
  echo "$counts $name" >>"$results"
  printf '   %s: %s passed, %s failed\n' "$name" "${counts% *}" "${counts#* }"
  [ "${counts#* }" = 0 ] || tail -n 120 "$log"
}

# in_background FUNCTION…: runs sections, one after the other, while others run. await_background waits for them and shows
# their output.
in_background() {
  end_section
  (for sections in "$@"; do "$sections"; done; end_section) >"$work/background.log" 2>&1 &
}

await_background() {
  end_section
  wait
  cat "$work/background.log"
}

finish() {
  local passed failed
  end_section
  passed=$(awk '{ sum += $1 } END { print sum + 0 }' "$results")
  failed=$(awk '{ sum += $2 } END { print sum + 0 }' "$results")
  printf '\n'
  awk '$2 > 0 { sub(/^[0-9]+ [0-9]+ /, ""); print "failed: " $0 }' "$results"
  rm -rf "$work"
  printf 'took %d s\n' "$SECONDS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
  exit
}

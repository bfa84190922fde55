# Sections with their time, and the counted total. Sourced by .ci/run.
passed=0
failed=0
failures=()
section_name=''
section_start=$SECONDS
work=$(mktemp -d)

section() {
  end_section
  section_name=$1
  section_start=$SECONDS
  printf '\n== %s\n' "$section_name"
}

end_section() {
  if [ -n "$section_name" ]; then printf '   %s: %d s\n' "$section_name" $((SECONDS - section_start)); fi
}

pass() {
  passed=$((passed + 1))
  printf '   ok      %s\n' "$1"
}

fail() {
  failed=$((failed + 1))
  failures+=("$1")
  printf '   FAILED  %s\n' "$1"
}

# check NAME COMMAND…: one check; shows what the command printed only if it fails.
check() {
  local name=$1 log=$work/check.log
  shift
  if ("$@") >"$log" 2>&1; then
    pass "$name"
  else
    fail "$name"
    tail -n 80 "$log"
    return 1
  fi
}

# tests NAME COMMAND…: a run of Vitest, each of its tests counted. The command is given reporters at its end.
tests() {
  local name=$1 log=$work/tests.log json=$work/tests.json counts code=0
  shift
  rm -f "$json"
  "$@" --reporter=default --reporter=json --outputFile.json="$json" >"$log" 2>&1 || code=$?
  counts=$(node .ci/count-tests.mjs "$json" "$code")
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
  printf '   %s: %s passed, %s failed\n' "$name" "${counts% *}" "${counts#* }"
  if [ "${counts#* }" != 0 ]; then
    failures+=("$name")
    tail -n 120 "$log"
  fi
}

finish() {
  end_section
  rm -rf "$work"
  printf '\n'
  for name in ${failures[@]+"${failures[@]}"}; do printf 'failed: %s\n' "$name"; done
  printf 'took %d s\n' "$SECONDS"
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
  exit
}

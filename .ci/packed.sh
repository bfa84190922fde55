# Folders with the packed tarball, as its users have them. Sourced by .ci/run and .ci/matrix, after report.sh.
# A dependency of orval reports installations.
export SCARF_ANALYTICS=false
export npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false npm_config_fetch_retries=5

find_chromium() {
  command -v chromium || command -v google-chrome
}

install_chromium() {
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  "${root[@]}" apt-get update && "${root[@]}" apt-get install -y chromium
}

# prepare: installs, builds and packs, with Chromium beside.
prepare() {
  section 'install and build'
  check 'npm ci' npm ci || finish
  find_chromium >/dev/null || check 'install Chromium' install_chromium
  CHROMIUM_PATH=$(find_chromium) && export CHROMIUM_PATH
  check 'npm pack' npm pack --ignore-scripts --pack-destination "$work" || finish
  mv "$work"/flagdouble-*.tgz "$work/flagdouble.tgz"
}

# consumer NAME PACKAGE…: a folder with the packed tarball and these packages. Again, with other versions, it installs these.
consumer() {
  local folder=$work/consumers/$1
  mkdir -p "$folder" && cp -r .ci/consumers/* "$folder"
  [ -e "$folder/package.json" ] || echo '{ "private": true, "type": "module" }' >"$folder/package.json"
  check "install: $*" run_in "$1" npm install --prefer-offline "$work/flagdouble.tgz" "${@:2}"
}

run_in() {
  (cd "$work/consumers/$1" && "${@:2}")
}

# example NAME PACKAGE…: an example with the packed tarball. Again, with other versions of packages, it installs these.
example() {
  local folder=$work/examples/$1
  mkdir -p "$folder" && cp -r "examples/$1/." "$folder"
  check "example $*" run_example "$folder" "${@:2}"
}

run_example() {
  cd "$1" && npm install --prefer-offline "${@:2}" && npm test
}

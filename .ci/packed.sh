# Folders with the packed tarball, like users' projects. Sourced by .ci/run and .ci/matrix, after report.sh.
# A dependency of orval reports installations.
export SCARF_ANALYTICS=false
export npm_config_fund=false npm_config_audit=false npm_config_update_notifier=false npm_config_fetch_retries=5

# Chromium without its own windows takes a third of the processor time.
find_chromium() {
  command -v chromium-headless-shell || command -v chromium || command -v google-chrome
}

install_chromium() {
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  "${root[@]}" apt-get update && "${root[@]}" apt-get install -y chromium-headless-shell
}

# prepare: installs, builds and packs, and installs Chromium.
prepare() {
  section 'install and build'
  check 'npm ci' npm ci || finish
  find_chromium >/dev/null || check 'install Chromium' install_chromium
  CHROMIUM_PATH=$(find_chromium) && export CHROMIUM_PATH
  check 'tarball' node tools/tarball.js "$work/flagdouble.tgz" || finish
}

# consumer NAME PACKAGE…: a folder with the packed tarball and these packages. A second call installs other versions.
consumer() {
  local folder=$work/consumers/$1
  mkdir -p "$folder" && cp -r .ci/consumers/* "$folder"
  [ -e "$folder/package.json" ] || echo '{ "private": true, "type": "module" }' >"$folder/package.json"
  check "install: $*" run_in "$1" npm install --prefer-offline "$work/flagdouble.tgz" "${@:2}"
}

run_in() {
  (cd "$work/consumers/$1" && "${@:2}")
}

# types_in_commonjs VERSION:MODULE…: with these versions of TypeScript.
types_in_commonjs() {
  local versions
  versions=$(printf '%s\n' "$@" | cut -d: -f1 | sort -u)
  consumer commonjs msw@2 vitest@4 @types/node@20 @types/jest@30 @jest/globals@30 $(for version in $versions; do echo "ts$version@npm:typescript@$version"; done)
  check 'types in CommonJS' run_in commonjs node commonjs.mjs "$@"
}

# example NAME PACKAGE…: an example with the packed tarball. A second call installs other versions of packages.
example() {
  local folder=$work/examples/$1
  mkdir -p "$folder" && cp -r "examples/$1/." "$folder"
  check "example $*" run_example "$folder" "${@:2}"
}

run_example() {
  cd "$1" && npm install --prefer-offline "${@:2}" && npm test
}

# Other majors of Node are npm packages, one per platform.
install_nodes() {
  local platform major
  platform=$(node -p '`${process.platform}-${process.arch}`')
  mkdir -p "$work/nodes" && cd "$work/nodes"
  echo '{ "private": true }' >package.json
  npm install --prefer-offline $(for major in "$@"; do echo "node$major@npm:node-$platform@$major"; done)
}

# with_node MAJOR COMMAND…: with another Node first in the path.
with_node() {
  PATH=$work/nodes/node_modules/node$1/bin:$PATH "${@:2}"
}

# pair VITEST MSW: both, pinned, on the oldest Node that they run on.
pair() {
  local name="Vitest $1, msw $2" node=20
  case "$1 $2" in 5.* | *' 3.'*) node=24 ;; esac
  with_node "$node" consumer "pair-$1-$2" "vitest@$1" "msw@$2" || return
  with_node "$node" check "$name: handlers" run_in "pair-$1-$2" node msw.mjs
  with_node "$node" check "$name: tests" run_in "pair-$1-$2" npx vitest run --root tests --no-isolate
  rm -rf "$work/consumers/pair-$1-$2"
}

#!/usr/bin/env bash
# run.sh BUILD [FILE...]: the tests that need a browser, or these of them, or what else is to be run
# with one. Debian's chromium, nodejs and npm drive it (tests/install-dependencies.sh --browser);
# what npm brings comes in the versions of package-lock.json into the build folder, and none of its
# install scripts is run. Ends with 4 where one of these is not here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
for tool in node npm chromium; do
  command -v "$tool" >/dev/null || { echo "skipped: the tests in a browser, as $tool is not here"; exit 4; }
done

modules=$build/browser
mkdir -p "$modules"
cp "$here"/package.json "$here"/package-lock.json "$here"/.npmrc "$modules"
if ! cmp -s "$modules/package-lock.json" "$modules/node_modules/.installed"; then
  log=$(mktemp)
  if ! npm ci --prefix "$modules" --ignore-scripts --no-audit --no-fund >"$log" 2>&1; then
    cat "$log"
    # Another content than the lock's, or a lock that does not fit, is no missing network.
    ! grep -qE 'EINTEGRITY|EUSAGE|ERESOLVE' "$log" || exit 1
    echo "skipped: the tests in a browser, as npm could not fetch what they need"
    exit 4
  fi
  rm "$log"
  cp "$modules/package-lock.json" "$modules/node_modules/.installed"
fi

files=("$@")
[[ $# -gt 0 ]] || files=("$here"/*.test.mjs)
# A file at a time: each drives a browser and servers of its own. One that hangs is ended (124).
for file in "${files[@]}"; do
  echo "== $(basename "$file" .test.mjs)"
  how=()
  [[ $file != *.test.mjs ]] || how=(--test --test-reporter=spec)
  AGON_BUILD=$build timeout --kill-after=10 3600 node "${how[@]}" "$file"
done

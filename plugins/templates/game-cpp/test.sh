#!/bin/sh
# test.sh AGON PLUGIN: loads the plugin, lets two random agents play it, and runs the suite.
set -eu
agon=$1
plugin=$2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$agon" describe ultimatum --plugin "$plugin" > /dev/null || fail "the plugin has no ultimatum"
"$agon" play ultimatum --plugin "$plugin" --seat 0=random --seat 1=random --seed 1 || fail "a match"
"$agon" run "$here/suite.json" --plugin "$plugin" --out "$out/ultimatum.agon" || fail "the suite"
"$agon" replay "$out/ultimatum.agon" --plugin "$plugin" || fail "the suite's matches do not play again as recorded"

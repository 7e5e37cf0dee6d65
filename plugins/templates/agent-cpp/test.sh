#!/bin/sh
# test.sh AGON PLUGIN: loads the plugin, lets the agent play, and runs the suite.
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

"$agon" describe cautious --plugin "$plugin" > /dev/null || fail "the plugin has no cautious"
"$agon" play the-game --plugin "$plugin" --agent cautious --seed 1 || fail "a match"
"$agon" run "$here/suite.json" --plugin "$plugin" --out "$out/cautious.agon" || fail "the suite"
"$agon" replay "$out/cautious.agon" --plugin "$plugin" || fail "the suite's matches do not play again as recorded"

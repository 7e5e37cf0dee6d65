#!/bin/sh
# test.sh [AGON]: lets two random agents play the game, and runs the suite.
set -eu
agon=${1:-agon}
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$agon" describe ultimatum --plugin ./ultimatum_game.py > /dev/null || fail "the file has no game ultimatum"
"$agon" play ./ultimatum_game.py --seed 1 || fail "a match"
"$agon" run suite.json --trust --out "$out/ultimatum.agon" || fail "the suite"
"$agon" replay "$out/ultimatum.agon" --plugin ./ultimatum_game.py || fail "the suite's matches do not play again as recorded"

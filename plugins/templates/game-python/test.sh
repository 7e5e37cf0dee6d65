#!/bin/sh
# test.sh [AGON]: lets two random agents play the game, and runs the suite.
set -eu
agon=${1:-agon}
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$agon" describe ultimatum --plugin ./ultimatum_game.py | grep -q 'coins you hand over'
"$agon" play ./ultimatum_game.py --seed 1
"$agon" run suite.json --trust --out "$out/ultimatum.agon"
"$agon" replay "$out/ultimatum.agon" --plugin ./ultimatum_game.py

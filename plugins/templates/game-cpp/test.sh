#!/bin/sh
# test.sh AGON PLUGIN: loads the plugin, lets two random agents play it, and runs the suite.
set -eu
agon=$1
plugin=$2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$agon" list --plugin "$plugin" | grep -q ultimatum
"$agon" describe ultimatum --plugin "$plugin" | grep -q 'coins you hand over'
"$agon" play ultimatum --plugin "$plugin" --seat 0=random --seat 1=random --seed 1
"$agon" run "$here/suite.json" --plugin "$plugin" --out "$out/ultimatum.agon"
"$agon" replay "$out/ultimatum.agon" --plugin "$plugin"

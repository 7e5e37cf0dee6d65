#!/bin/sh
# test.sh AGON PLUGIN: loads the plugin, lets the agent play, and runs the suite.
set -eu
agon=$1
plugin=$2
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$agon" describe cautious --plugin "$plugin" | grep -q patience
"$agon" play the-game --plugin "$plugin" --agent cautious --seed 1
"$agon" run "$here/suite.json" --plugin "$plugin" --out "$out/cautious.agon"
"$agon" replay "$out/cautious.agon" --plugin "$plugin"

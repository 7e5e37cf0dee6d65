#!/bin/sh
# test.sh [AGON]: tries the agent against the protocol, lets it play, and runs the suite.
set -eu
agon=${1:-agon}
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$agon" check-agent python3 cautious_agent.py
"$agon" play the-game --agent 'external:command=python3 cautious_agent.py' --seed 1
"$agon" run suite.json --trust --out "$out/cautious.agon"
"$agon" replay "$out/cautious.agon"

#!/bin/sh
# test.sh [AGON]: tries the agent against the protocol, lets it play, and runs the suite.
set -eu
agon=${1:-agon}
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

"$agon" check-agent python3 cautious_agent.py || fail "the agent does not keep to the protocol"
"$agon" play the-game --agent 'external:command=python3 cautious_agent.py' --seed 1 || fail "a match"
"$agon" run suite.json --trust --out "$out/cautious.agon" || fail "the suite"
"$agon" replay "$out/cautious.agon" || fail "the suite's matches do not play again as recorded"

#!/bin/sh
# The core knows no game and no agent by name: no text in its code holds the id of a shipped game, and
# none is the id of an agent that is not a rule's. Comments and what people are told may name them as
# examples.
# Usage: names.sh SOURCE
set -eu
cd "$1"

ids=
for folder in games/*/; do
  id=${folder#games/} id=${id%/}
  [ "$id" = shared ] || ids="$ids${ids:+|}$id"
done
[ -n "$ids" ] || { echo "there are no games in games/"; exit 1; }

# What may stand, and why: the example in the help of `agon play` has to run as it is written; the
# manual says in plain words what games are about; what a check of games found is played again by
# agents that repeat it; components are checked in the model agent; learners and programs are shown
# what the model agent would be.
named=$(grep -rn '' core --include='*.cpp' --include='*.hpp' --include='*.in' |
  sed 's://.*$::' | grep -E "\"[^\"]*[^a-z-]($ids)[^a-z-]|\"($ids)[^a-z-]" |
  grep -v '^core/src/command/play.cpp:.*agon play bargaining --seat' |
  grep -v '^core/src/command/help.cpp:.*play auctions, bargaining, division' || true)
agents=$(grep -rnE '"(human|llm|external|script)"' core --include='*.cpp' --include='*.hpp' |
  grep -vE '^[^:]*:[0-9]*: *//' |
  grep -v '^core/src/arena/conformance/answers.cpp:.*"script", bj::object{{"answers"' |
  grep -v '^core/src/arena/conformance/components.cpp:.*bj::object{{"llm", std::move(params)}}' |
  grep -v '^core/src/arena/suite/agents/model_messages.cpp:' || true)
named="$named$agents"
[ -z "$named" ] && exit 0
echo "the core names games or agents; what it has to know of one belongs into its card:"
echo "$named"
exit 1

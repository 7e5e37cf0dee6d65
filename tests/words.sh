#!/bin/sh
# Words that comments, messages and documents do without, as a plain word says the same.
# Usage: words.sh SOURCE
set -eu
cd "$1"

# whoever: who, the caller, the researcher; anew: again; is none of: is not; so-manieth: k-th;
# X less Y: X minus Y. The last is looked for in comments alone.
words='\b(whoever|anew|is none of|so-manieth)\b'
less='//.*[^o] less (the|that|what|its|their|your|zero|one|another|an?|[0-9]+)\b'

# What may stand, and why: rules of games and lines for models, as another wording is another
# question; lines that translations are found by.
found=$(grep -rniE "$words|$less" core games agents docs README.md \
  --include='*.cpp' --include='*.hpp' --include='*.md' |
  grep -vE '^games/(ebay|english-auction)/game.cpp:|^games/shared/auction-values/values.cpp:' |
  grep -vE '^games/english-auction/play.hpp:.*"Rate the items' |
  grep -vE 'ArenaLine|ModelLine|^core/src/engine/text/language.hpp:|^agents/llm/lines.hpp:' || true)
[ -z "$found" ] && exit 0
echo "$found"
echo "FAILED: say it in plain words (tests/words.sh has some)"
exit 1

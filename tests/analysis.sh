#!/bin/sh
# A build may be without libagon_analysis (AGON_ANALYSIS=OFF). So nothing else knows of it but what
# is left out with it: sources of command/analysis/, and the games that games/CMakeLists.txt names.
# Usage: analysis.sh SOURCE BUILD
set -eu
cd "$1"
build=$2
status=0

included=$(grep -rnE '#include ["<]((theory|meta|judge)/|agon/analysis/game_theory)' core/src games |
  grep -vE '^core/src/(analysis|command/analysis)/|^games/shared/(theory|auction-values)/' || true)

left_out=$(sed -n 's/^set(games_with_theory \(.*\))$/\1/p' games/CMakeLists.txt)
[ -n "$left_out" ] || { echo "games/CMakeLists.txt does not set games_with_theory"; exit 1; }
for game in $left_out; do
  included=$(echo "$included" | grep -v "^games/$game/" || true)
done
if [ -n "$included" ]; then
  echo "includes of what a build may be without:"
  echo "$included"
  status=1
fi

# Only those are linked with it: the others would not load, or not be built, without.
for file in "$build"/lib/libagon.so "$build"/lib/libagon_arena.so "$build"/lib/libagon_serve.so \
  "$build"/lib/agon/plugins/*.so; do
  name=$(basename "$file" .so)
  needs=no allowed=no
  if readelf -d "$file" | grep -q 'NEEDED.*libagon_analysis'; then needs=yes; fi
  case " $left_out " in *" $name "*) allowed=yes ;; esac
  if [ $needs != $allowed ]; then
    echo "$name: linked with libagon_analysis: $needs, left out without it: $allowed"
    status=1
  fi
done
exit $status

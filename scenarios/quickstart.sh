#!/usr/bin/env bash
# Runs Agon's main job: a benchmark of rule agents over four games, with a leaderboard. In a
# checkout it first builds the command and what the benchmark plays; on a fresh Debian 12 machine
# this is all it takes: no key, and no network beyond apt. Where Agon is installed
# (share/agon/scenarios) it builds nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

if [[ -f $here/tests/build.sh ]]; then
  cd "$here"
  bash tests/install-dependencies.sh
  bash tests/build.sh release --target quickstart -DAGON_BUILD_TESTS=OFF -DAGON_UNITY=ON
  agon=build/bin/agon
  out=build/quickstart.agon
  rest=$'\nBuild the rest: the other games, model agents, external agents, the library of Python:\n  cmake --build build'
else
  agon=$(cd "$here/../../bin" && pwd)/agon
  out=quickstart.agon
  rest=
fi
"$agon" run "$here/scenarios/quickstart.json" --out "$out" --report
cat <<END

The archive is $out. Look further:
  $agon show $out            # every match
  $agon show $out 1          # one, question by question
  $agon replay $out          # all of them again, compared byte for byte
  $agon report $out --full   # every metric of every game
$rest
END

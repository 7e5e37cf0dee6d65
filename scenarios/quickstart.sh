#!/usr/bin/env bash
# Builds Agon and runs its main job: a benchmark of rule agents over four games, with a leaderboard.
# On a fresh Debian 12 machine this is all it takes: no key, and no network beyond apt.
set -euo pipefail
cd "$(dirname "$0")/.."

bash tests/install-dependencies.sh
bash tests/build.sh release -DAGON_BUILD_TESTS=OFF -DAGON_UNITY=ON
out=build/quickstart.agon
build/bin/agon run scenarios/quickstart.json --out "$out" --report
cat <<END

The archive is $out. Look further:
  build/bin/agon show $out            # every match
  build/bin/agon show $out 1          # one, question by question
  build/bin/agon replay $out          # all of them again, compared byte for byte
  build/bin/agon report $out --full   # every metric of every game
END

#!/usr/bin/env bash
# Configures and builds, and says how long that takes and how far it is.
#
#   bash tests/build.sh PRESET [--target NAME] [cmake options]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
target=all
if [[ ${1:-} == --target ]]; then
  target=$2
  shift 2
fi
cmake --preset "$preset" "$@" >/dev/null
# A step is a file, or several that are compiled together: four seconds of a processor on average.
# What is no progress is a warning or an error, and is shown as it is.
cmake --build --preset "$preset" --target "$target" | awk -v processors="$(nproc)" -v preset="$preset" '
  match($0, /^\[[0-9]+\/[0-9]+\]/) {
    split(substr($0, 2, RLENGTH - 2), count, "/")
    if (count[2] <= 20) next
    if (!begun++)
      printf "building (%s): %d steps on %d processors, about %d min\n", preset, count[2],
             processors, count[2] * 4 / processors / 60 + 1
    tenth = int(10 * count[1] / count[2])
    if (tenth > told) { told = tenth; printf "  %d%% built\n", 10 * tenth }
    fflush()
    next
  }
  $0 != "ninja: no work to do." { print; fflush() }'

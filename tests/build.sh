#!/usr/bin/env bash
# Configures and builds, and says how far it is.
#
#   bash tests/build.sh PRESET [cmake options]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
cmake --preset "$preset" "$@" >/dev/null
# A step is a file, or several that are compiled together: four seconds of a processor on average.
steps=$(cmake --build --preset "$preset" -- -n | grep -c '^\[' || true)
if [[ $steps -gt 1 ]]; then
  seconds=$((steps * 4 / $(nproc) + 1))
  echo "building ($preset): $steps steps on $(nproc) processors, about $((seconds / 60 + 1)) min"
fi
# What is no progress is a warning or an error, and is shown as it is.
cmake --build --preset "$preset" | awk '
  match($0, /^\[[0-9]+\/[0-9]+\]/) {
    split(substr($0, 2, RLENGTH - 2), count, "/")
    tenth = int(10 * count[1] / count[2])
    if (count[2] > 20 && tenth > told) { told = tenth; print "  " 10 * tenth "% built"; fflush() }
    next
  }
  $0 != "ninja: no work to do." { print; fflush() }'

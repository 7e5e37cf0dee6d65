#!/usr/bin/env bash
# The elements of the papers in docs/papers: their counts, their commands and their numbers.
#   papers.sh SOURCE BUILD
# AGON_UPDATE_PAPERS=1 writes the numbers and the counts again.
set -euo pipefail
# The published data stand where other tests look for them, if they are here.
if [[ -z ${AGON_DATA:-} && -d $1/../shared/data ]]; then AGON_DATA=$(realpath "$1/../shared/data"); fi
export HOME AGON_DATA=${AGON_DATA:-}
# The commands find what they run in folders of a PATH, which cannot have a colon.
[[ ${TMPDIR:-} != *:* ]] || export TMPDIR=/tmp
HOME=$(mktemp -d)
trap 'rm -rf "$HOME"' EXIT
unset AGON_PLUGIN_PATH XDG_STATE_HOME || true
python3 "$1/tests/papers.py" "$1" "$2/bin/agon"

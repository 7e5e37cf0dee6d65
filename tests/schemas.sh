#!/usr/bin/env bash
# The JSON Schemas of the files that people write and of reports, as the build makes them: that none
# changed unnoticed (tests/schemas.sha256), that everything that ships fits them, and that slips do
# not.
#   schemas.sh SOURCE BUILD
# AGON_UPDATE_SCHEMAS=1 writes their digests again.
set -euo pipefail
source=$1
agon=$2/bin/agon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work"
unset AGON_PLUGIN_PATH XDG_STATE_HOME || true

schemas=$2/share/agon/schema
digests=$source/tests/schemas.sha256
if [[ -n ${AGON_UPDATE_SCHEMAS:-} ]]; then (cd "$schemas" && sha256sum ./*.json) > "$digests"; fi
(cd "$schemas" && sha256sum ./*.json) | diff -u "$digests" - || {
  echo "FAILED: look at $schemas; if the changes are meant:" \
    "AGON_UPDATE_SCHEMAS=1 tests/schemas.sh SOURCE BUILD" >&2
  exit 1
}

# Debian's packages are for its own Python, whichever stands first in the PATH.
python=python3
python3 -c 'import jsonschema' 2>/dev/null || [[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
"$python" "$source/tests/schemas.py" "$source" "$agon" "$schemas"

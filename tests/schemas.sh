#!/usr/bin/env bash
# The JSON Schemas of the files that people write and of reports, as they are checked in and
# installed: that they are what `agon describe` prints, that everything that ships fits them, and
# that slips do not.
#   schemas.sh SOURCE BUILD
# AGON_UPDATE_SCHEMAS=1 writes them anew.
set -euo pipefail
source=$1
agon=$2/bin/agon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work"
unset AGON_PLUGIN_PATH XDG_STATE_HOME || true

files=(suite prices drift report bargaining.products classic.game deal-or-no-deal.instances
  english-auction.items)
for name in "${files[@]}"; do
  checked_in=$source/docs/schema/$name.schema.json
  "$agon" describe "$name" --schema > "$work/$name.schema.json"
  [[ -z ${AGON_UPDATE_SCHEMAS:-} ]] || cp "$work/$name.schema.json" "$checked_in"
  diff -u "$checked_in" "$work/$name.schema.json" | head -40 ||
    { echo "FAILED: write it anew: AGON_UPDATE_SCHEMAS=1 tests/schemas.sh SOURCE BUILD" >&2; exit 1; }
done

# Debian's packages are for its own Python, whichever stands first in the PATH.
python=python3
python3 -c 'import jsonschema' 2>/dev/null || [[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
"$python" "$source/tests/schemas.py" "$source" "$agon"

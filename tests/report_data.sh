#!/usr/bin/env bash
# Archives of several kinds, and what programs read of them:
#   report_data.sh SOURCE BUILD
set -euo pipefail
source=$1
agon=$2/bin/agon
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work"
unset AGON_PLUGIN_PATH XDG_STATE_HOME || true
cd "$work"

# Debian's packages are for its own Python, whichever stands first in the PATH.
python=python3
python3 -c 'import jsonschema' 2>/dev/null || [[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3

play() {  # play OUT EXIT-CODE ARGUMENT...
  local out=$1 wanted=$2 code=0
  shift 2
  "$agon" run "$@" --out "$out" --quiet 2>"$work/said" || code=$?
  [[ $code -eq $wanted ]] || { cat "$work/said"; echo "FAILED: exit code $code for $out" >&2; exit 1; }
}

# An agent that calls a mock whose answers are often bad, under a policy that takes gains away.
cat > faults.json <<'END'
{
  "suite": "faults", "seed": 3,
  "models": { "m": { "provider": "mock", "mock": { "malformed": 0.5 } } },
  "agents": {
    "reference": { "rule": { "bargaining": "time-dependent", "water-allocation": "survivor" } },
    "llm": { "llm": "m" }
  },
  "faults": { "policy": "forfeit" },
  "design": { "focal": ["llm", "reference"], "background": "reference", "blocks": 12 },
  "scenarios": [ { "game": "bargaining" }, { "game": "water-allocation" } ]
}
END
play quickstart.agon 0 "$source/scenarios/quickstart.json" --blocks 8
play architectures.agon 0 "$source/scenarios/architectures.json" --blocks 2
play learning.agon 0 "$source/scenarios/learning.json" --blocks 4
play faults.agon 0 faults.json --drift-check
play unfinished.agon 7 faults.json --max-calls 40
sed 's/"llm", "reference"\], "background": "reference"/"llm"], "background": "llm"/' faults.json > empty.json
play empty.agon 7 empty.json --max-calls 0
# One agent on one block.
sed 's/"llm", "reference"\], "background": "reference", "blocks": 12/"reference"], "background": "reference", "blocks": 1/' faults.json > alone.json
play alone.agon 0 alone.json
# Labels, with a cell that nobody played.
cat > labels.json <<'END'
{
  "suite": "labels", "seed": 5,
  "agents": {
    "careful": { "rule": { "deal-or-no-deal": "envy-free-bayes" }, "labels": { "workflow": "use" } },
    "simple": { "rule": { "deal-or-no-deal": "concede" }, "labels": { "workflow": "not" } }
  },
  "design": { "fixed": [["careful", "careful"], ["careful", "simple"]], "blocks": 20 },
  "scenarios": [ { "game": "deal-or-no-deal" } ]
}
END
play missing@workflow.agon 0 labels.json
sed 's/\["careful", "simple"\]\]/&, "seat_rotation": "all"/; s/\["careful", "careful"\], /&["simple", "simple"], /' labels.json > all.json
play whole@workflow.agon 0 all.json
"$python" "$source/tests/report_data.py" "$agon" "$2/share/agon/schema" ./*.agon

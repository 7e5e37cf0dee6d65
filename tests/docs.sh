#!/usr/bin/env bash
# Runs the commands of the README, the tutorials and the experiments, exactly as written, in a home of their own:
#   docs.sh SOURCE BUILD
# Builds that the texts ask for are made beforehand: only their `bash scenarios/quickstart.sh`,
# `bash tests/run.sh` and `cmake --build build  # the rest` lines are left out here: they take an hour.
set -euo pipefail
source=$1
build=$2
# The commands find what they run in folders of a PATH, which cannot have a colon.
[[ ${TMPDIR:-} != *:* ]] || export TMPDIR=/tmp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home"
mkdir -p "$HOME"
unset AGON_PLUGIN_PATH XDG_STATE_HOME || true

# A checkout as the reader has it, with the build in its place; no test writes into the real one.
mkdir "$work/agon"
for entry in "$source"/*; do
  name=$(basename "$entry")
  [[ "$name" == build* ]] || ln -s "$entry" "$work/agon/$name"
done
ln -s "$build" "$work/agon/build"

run() {  # run FILE [SED EXPRESSION]
  local text
  text=$(sed -n '/^```sh$/,/^```$/p' "$source/$1" | grep -v '^```' |
    grep -vE '^(bash (scenarios/quickstart|tests/run)\.sh|cmake --build build +# the rest)' | sed "${2:-}")
  [[ -n "$text" ]] || { echo "FAILED: $1 has no commands" >&2; exit 1; }
  echo "== $1"
  (cd "$work/agon" && bash -euo pipefail -c "$text" </dev/null >"$work/output" 2>&1) ||
    { cat "$work/output"; echo "FAILED: a command of $1" >&2; exit 1; }
}

# Blocks in another language, in the folder where the commands ran: where its tools are there.
run_blocks() {  # run_blocks FILE LANGUAGE INTERPRETER...
  local file=$1 language=$2 block
  shift 2
  while IFS= read -r -d $'\x1e' block; do
    echo "== $file: $language"
    (cd "$work/agon" && printf '%s' "$block" | "$@" >"$work/output" 2>&1) ||
      { cat "$work/output"; echo "FAILED: $language of $file" >&2; exit 1; }
  done < <(awk -v start="^\`\`\`$language\$" '
    /^```$/ && inside { printf "\036"; inside = 0 }
    inside { print }
    $0 ~ start { inside = 1 }' "$source/$file")
}

# A person at the terminal is played by a pipe that gives JSON lines until the match is over.
person='{"talk":"no","action":{"kind":"reject"}}'
run README.md "s/^agon play bargaining .* --out me.agon/& < <(yes '$person' | head -n 50)/"
rm -f "$work/agon"/*.agon "$work/agon"/mine.json
run docs/tutorial-1-first-benchmark.md
run docs/tutorial-2-your-own-game.md
run docs/tutorial-3-your-model.md
run docs/tutorial-4-compare-architectures.md
rm -f "$work/agon"/*.agon
run docs/tutorial-5-a-paper-again.md
rm -f "$work/agon"/mine.*
run docs/tutorial-6-a-figure-for-a-paper.md
python=""
for each in python3 /usr/bin/python3; do
  [[ -n "$python" ]] || ! "$each" -c 'import pandas, matplotlib' 2>/dev/null || python=$each
done
if [[ -n "$python" ]]; then
  MPLBACKEND=Agg run_blocks docs/tutorial-6-a-figure-for-a-paper.md python "$python" -
else
  echo "skipped: the Python of tutorial 6, as pandas or matplotlib is not here"
fi
if command -v Rscript >/dev/null; then
  run_blocks docs/tutorial-6-a-figure-for-a-paper.md r Rscript -
else
  echo "skipped: the R of tutorial 6, as R is not here"
fi
run docs/tutorial-7-a-game-in-python.md
python=""
for each in python3 /usr/bin/python3; do
  [[ -n "$python" ]] || ! "$each" -c 'import numpy' 2>/dev/null || python=$each
done
if [[ -n "$python" ]]; then
  run docs/tutorial-8-training.md "s#^python3 #$python #"
  PYTHONPATH="$build/share/agon/python" run_blocks docs/tutorial-8-training.md python "$python" -
else
  echo "skipped: tutorial 8, as NumPy is not here"
fi
for page in "$source"/docs/experiments/*.md; do
  [[ $(basename "$page") != README.md ]] || continue
  rm -f "$work/agon"/*.agon
  run "docs/experiments/$(basename "$page")"
done
rm -f "$work/agon"/*.agon
run docs/training.md
run docs/external-agents.md
run docs/game-protocol.md
run docs/cluster.md '1s#^#export PATH="$PWD/build/bin:$PATH"; #'
echo "the documents' commands work"

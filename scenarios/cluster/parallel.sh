#!/usr/bin/env bash
# Plays the shards of a suite with GNU parallel, here or on the machines of --sshloginfile, and
# merges them. The same command again plays what is missing. Other machines need this folder under
# the same path, and keys: --env OPENAI_API_KEY.
#   bash parallel.sh SUITE SHARDS [OPTIONS OF PARALLEL]
set -euo pipefail
suite=$1
shards=$2
shift 2
name=$(basename "$suite" .json)
mkdir -p shards
# Not --resume: it would go by the numbers of the jobs alone, also where SHARDS is another one now.
# A shard that is there is found whole, and not played again.
seq "$shards" | parallel --joblog "shards/$name.log" --workdir "$PWD" "$@" \
  agon run "$suite" --shard "{}/$shards" --quiet --work shards/work --out "shards/$name-{}.agon"
archives=()
for ((i = 1; i <= shards; ++i)); do archives+=("shards/$name-$i.agon"); done
agon merge "$name.agon" "${archives[@]}" --report

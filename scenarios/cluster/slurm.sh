#!/usr/bin/env bash
# Plays a suite as a job array of Slurm, one shard a task, and merges the archives when all are done.
#   bash slurm.sh SUITE SHARDS [OPTIONS OF SBATCH]
# The archive is NAME.agon in the current folder. A task that is stopped (preempted, out of time) is
# queued again and goes on where it was. AGON_WORK: the folder in which archives grow, on a disk
# that a task finds again (default: agon-work here).
set -euo pipefail
suite=$1
shards=$2
shift 2
name=$(basename "$suite" .json)
export AGON_SUITE=$suite AGON_NAME=$name AGON_SHARDS=$shards AGON_WORK=${AGON_WORK:-$PWD/agon-work}
mkdir -p "$AGON_WORK" shards logs

# Two minutes before its time is over Slurm sends the script a signal; agon saves what it has and
# ends with code 130, and the task is queued again.
array=$(sbatch --parsable --array="1-$shards" --requeue --open-mode=append --signal=B:TERM@120 \
  --job-name="$name" --output="logs/$name-%a.log" "$@" <<'TASK'
#!/usr/bin/env bash
agon run "$AGON_SUITE" --shard "slurm/$AGON_SHARDS" --quiet --work "$AGON_WORK" \
  --out "shards/$AGON_NAME-$SLURM_ARRAY_TASK_ID.agon" &
agon=$!
trap 'kill -TERM "$agon"' TERM
code=0
# A signal ends the first wait, and the second one gets the exit code.
while wait "$agon" || code=$?; kill -0 "$agon" 2>/dev/null; do code=0; done
if [[ $code == 130 || $code == 143 ]]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"
TASK
)

# Once a task failed for good, the merge can never begin, and is cancelled.
sbatch --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes --job-name="$name-merge" \
  --output="logs/$name-merge.log" "$@" <<'MERGE'
#!/usr/bin/env bash
set -euo pipefail
archives=()
for ((i = 1; i <= AGON_SHARDS; ++i)); do archives+=("shards/$AGON_NAME-$i.agon"); done
agon merge "$AGON_NAME.agon" "${archives[@]}" --report
MERGE

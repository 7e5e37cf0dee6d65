#!/usr/bin/env bash
# Plays a suite as a job array of Slurm, one shard a task, and merges the archives after all tasks.
#   bash slurm.sh SUITE SHARDS [OPTIONS OF SBATCH]
# SHARDS is 16, for example, or 1000%20 to run 20 of 1000 at a time.
# The archive is NAME.agon in the current folder. A task that is stopped (preempted, out of time,
# killed) is queued again and goes on where it was. Variables:
#   AGON_WORK    the folder in which archives grow, on a disk that a task finds again (default:
#                agon-work here)
#   AGON_SERVER  a command that serves a model on port $AGON_PORT of 127.0.0.1. Each task starts one
#                on its node, waits until it lists its models, and ends it. For example:
#                  AGON_SERVER='vllm serve MODEL --port $AGON_PORT' bash slurm.sh s.json 16 --gpus=1
#                Agents of the providers vllm, llamacpp and completions use it.
set -euo pipefail
suite=$1
tasks=1-$2
shards=${2%%%*}
shift 2
name=$(basename "$suite" .json)
export AGON_SUITE=$suite AGON_NAME=$name AGON_SHARDS=$shards AGON_WORK=${AGON_WORK:-$PWD/agon-work}
export AGON_SERVER=${AGON_SERVER:-}
mkdir -p "$AGON_WORK" shards logs

# Two minutes before its time is over Slurm sends the script USR1; agon then saves what it has, and
# the task is queued again. TERM comes from Slurm before it ends a job: a preempted one it queues
# again itself, and a cancelled one stays cancelled.
array=$(sbatch --parsable --array="$tasks" --requeue --open-mode=append --signal=B:USR1@120 \
  --job-name="$name" --output="logs/$name-%a.log" "$@" <<'TASK'
#!/usr/bin/env bash
agon='' stopped='' over=''
stop() {
  stopped=yes
  [[ -z $agon ]] || kill -TERM "$agon" 2>/dev/null
}
trap 'over=yes; stop' USR1
trap stop TERM

again() {  # puts this task into the queue again
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
}

code=0
if [[ -n $AGON_SERVER ]]; then
  export AGON_PORT=$((20000 + SLURM_JOB_ID % 10000))  # tasks may share a node
  url=http://127.0.0.1:$AGON_PORT/v1
  export VLLM_BASE_URL=$url LLAMACPP_BASE_URL=$url COMPLETIONS_BASE_URL=$url
  bash -c "exec $AGON_SERVER" >>"logs/$AGON_NAME-$SLURM_ARRAY_TASK_ID-server.log" 2>&1 &
  server=$!
  trap 'kill "$server" 2>/dev/null' EXIT
  until [[ -n $stopped ]] || curl --silent --fail --output /dev/null "$url/models"; do
    kill -0 "$server" 2>/dev/null || { echo "the model server ended" >&2; code=6; break; }
    sleep 1
  done
fi
if [[ -n $stopped ]]; then
  code=143
elif [[ $code == 0 ]]; then
  agon run "$AGON_SUITE" --shard "slurm/$AGON_SHARDS" --quiet --work "$AGON_WORK" \
    --out "shards/$AGON_NAME-$SLURM_ARRAY_TASK_ID.agon" &
  agon=$!
  [[ -z $stopped ]] || kill -TERM "$agon"
  # A signal ends the first wait, and the next one gets the exit code.
  while wait "$agon" || code=$?; kill -0 "$agon" 2>/dev/null; do code=0; done
fi
case $code in
  130 | 143) [[ -z $over ]] || again ;;
  # A disk, a provider, too little memory: five times.
  1 | 6 | 137) [[ -n $stopped || ${SLURM_RESTART_COUNT:-0} -ge 5 ]] || again ;;
esac
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

#!/usr/bin/env bash
# slurm.sh FOLDER: Slurm with three nodes, all on this machine, until standard input ends. All its
# files are in FOLDER: nothing of the machine's own configuration is read or changed. Prints "ready"
# when jobs can be submitted under SLURM_CONF=FOLDER/slurm.conf. Needs neither root nor systemd.
set -euo pipefail
folder=$(cd "$1" && pwd)
host=$(hostname -s)
user=$(id -un)
port=$((12000 + $$ % 500 * 4))
export SLURM_CONF=$folder/slurm.conf
PATH=$PATH:/usr/sbin
cd "$folder"
exec 3<&0  # the shell gives its background commands another standard input

started=()
stop() {
  # Jobs first: what a step runs is not a child of these.
  scancel --user="$user" >/dev/null 2>&1 || true
  for ((i = 0; i < 40; ++i)); do
    [[ -n $(squeue --noheader 2>/dev/null) ]] || break
    sleep 0.5
  done
  for ((i = ${#started[@]} - 1; i >= 0; --i)); do
    kill "${started[i]}" 2>/dev/null || continue
    wait "${started[i]}" || true
  done
}
trap stop EXIT
trap 'exit 143' TERM INT HUP

begin() {  # begin NAME COMMAND...
  local name=$1
  shift
  "$@" >"$name.out" 2>&1 </dev/null &
  started+=($!)
}

mkdir -p state spool-n1 spool-n2 spool-n3
head -c 1024 /dev/urandom >munge.key
chmod 600 munge.key
cat >slurm.conf <<CONF
ClusterName=agon
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
# A job that is queued again waits until its old credential expires: two minutes by default.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MpiDefault=none
JobRequeue=1
KillWait=10
MinJobAge=3600
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
# The nodes share the processors.
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=500
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=500
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1 RealMemory=500
PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
CONF

# --force: the folder may be below one that others may write to.
begin munged munged --foreground --force --key-file="$folder/munge.key" \
  --socket="$folder/munge.socket" --log-file="$folder/munged.log" \
  --pid-file="$folder/munged.pid" --seed-file="$folder/munged.seed"
for ((i = 0; i < 40; ++i)); do
  [[ ! -S munge.socket ]] || break
  sleep 0.25
done
begin slurmctld slurmctld -D
for node in n1 n2 n3; do begin "slurmd-$node" slurmd -D -N "$node"; done

for ((i = 0; i < 120; ++i)); do
  if [[ $(sinfo --noheader --format=%T:%D 2>/dev/null) == idle:3 ]]; then
    echo ready
    cat <&3 >/dev/null &
    wait $! || true
    exit 0
  fi
  sleep 0.5
done
echo "Slurm did not start within a minute:" >&2
tail --lines=20 ./*.out ./*.log >&2
exit 1

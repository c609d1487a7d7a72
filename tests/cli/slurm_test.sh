#!/usr/bin/env bash
# A sweep as a job array of a real Slurm: a controller and a node daemon on this machine, started and
# ended here. Needs root and the packages slurm-wlm and munge; ends with 77 (skipped) without them.
# Argument: the command.
set -euo pipefail
vtopo=$1
skip() {
  echo "skipped: $1"
  exit 77
}
for program in slurmctld slurmd munged sbatch scontrol squeue; do
  command -v $program >/dev/null || skip "no $program"
done
[ "$(id -u)" -eq 0 ] || skip "only root can start slurmd"

folder=$(mktemp -d)
chmod 755 "$folder"
pids=()
cleanup() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT
cd "$folder"
mkdir state spool
host=$(hostname -s)
export SLURM_CONF=$folder/slurm.conf

# munged refuses folders that others could change; its socket is given to Slurm.
mkdir -m 755 munge
head -c 1024 /dev/urandom >munge/key
chmod 600 munge/key
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
  >munge.out 2>&1 &
pids+=($!)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=10 State=UP
END
slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
pids+=($!)
slurmd -D -f slurm.conf -N "$host" >slurmd.out 2>&1 &
pids+=($!)
give_up() {
  tail -n 20 slurm*.out munge.out
  skip "Slurm does not start here: $1"
}
for ((i = 0; ; ++i)); do
  [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
  [ $i -lt 150 ] || give_up "no idle node"
  sleep 0.2
done

cat >plan.json <<END
{"base": {"network": "torus:4x4", "steps": 200, "no-simulate": true, "mapper": "exchange"},
 "axes": {"topology": ["cart:4x4", "hypercube:4"], "seed": {"from": 1, "to": 6}}}
END
"$vtopo" sweep plan.json -o whole.jsonl
"$vtopo" sweep plan.json -o array.jsonl --engine slurm --shards 3
for ((i = 0; i < 600; ++i)); do
  [ -z "$(squeue -h)" ] && break
  sleep 0.2
done
"$vtopo" sweep merge -o array.jsonl array.shard-*-of-3.jsonl || { cat slurm-*.out; exit 1; }
cmp array.jsonl <(sort whole.jsonl)

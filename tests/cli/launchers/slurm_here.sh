# A Slurm of this machine alone, to be sourced. Needs root and the packages slurm-wlm and munge.
# The sourcing script has skip, $folder as its working folder, and ends the processes of `pids`.
needs slurmctld slurmd munged sbatch scontrol squeue srun
[ "$(id -u)" -eq 0 ] || skip "only root can start slurmd"

slurm_does_not_start() {
  tail -n 20 slurm*.out munge.out
  skip "Slurm does not start here: $1"
}

# munged refuses folders that others could change; its socket is given to Slurm.
start_munged() {
  mkdir -m 755 munge
  head -c 1024 /dev/urandom >munge/key
  chmod 600 munge/key
  munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed" >munge.out 2>&1 &
  pids+=($!)
}

# start_slurm PORT NODE...: a controller at the port and a daemon of two processors for each node at
# the ports that follow; returns when all are idle.
start_slurm() {
  local port=$1 node
  shift
  mkdir state
  export SLURM_CONF=$folder/slurm.conf
  start_munged
  cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldPidFile=$folder/slurmctld.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
PartitionName=main Nodes=ALL Default=YES MaxTime=10 State=UP
END
  for node in "$@"; do
    port=$((port + 1))
    mkdir "spool-$node"
    echo "NodeName=$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$port CPUs=2" \
      "State=UNKNOWN" >>slurm.conf
  done
  slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
  pids+=($!)
  for node in "$@"; do
    slurmd -D -f slurm.conf -N "$node" >"slurmd-$node.out" 2>&1 &
    pids+=($!)
  done
  wait_for_idle $#
}

wait_for_idle() {
  local i
  for ((i = 0; i < 150; ++i)); do
    [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c '^idle$')" -eq "$1" ] && return
    sleep 0.2
  done
  slurm_does_not_start "no idle nodes"
}

#!/usr/bin/env bash
# srun starts every task on the node that the host file says, in a Slurm of four nodes on this
# machine. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
. "$here/slurm_here.sh"
start_slurm 26827 node1 node2 node3 node4

launch() {
  # shellcheck disable=SC2016  # for the shell of the rank
  SLURM_HOSTFILE=job.slurm timeout 60 srun --ntasks 8 --distribution=arbitrary \
    bash -c 'echo "$SLURM_PROCID,$SLURMD_NODENAME"'
}
check_launches slurm

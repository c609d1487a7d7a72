#!/usr/bin/env bash
# srun starts every task on the node that the host file says, in a Slurm of four nodes on this
# machine. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
. "$here/slurm_here.sh"
start_slurm 26827 node1 node2 node3 node4

# shellcheck disable=SC2016  # for the shell of the rank
write_program 'echo "$SLURM_PROCID,$SLURMD_NODENAME"'
launch() { timeout 60 bash -c "$(printed_for Slurm)"; }
check_launches slurm

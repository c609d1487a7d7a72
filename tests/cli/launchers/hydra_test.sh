#!/usr/bin/env bash
# MPICH's hydra starts every rank on the host that the file says. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs mpiexec.hydra

# shellcheck disable=SC2016  # for the shell of the rank
write_program 'echo "$PMI_RANK,$LANDED_ON"'
export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$folder/remote.sh
launch() { timeout 60 bash -c "$(printed_for MPICH)"; }
check_launches hydra

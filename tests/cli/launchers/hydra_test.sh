#!/usr/bin/env bash
# MPICH's hydra starts every rank on the host that the file says. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs mpiexec.hydra

launch() {
  # shellcheck disable=SC2016  # for the shell of the rank
  timeout 60 mpiexec.hydra -f job.hydra -n 8 -launcher ssh -launcher-exec "$folder/remote.sh" \
    bash -c 'echo "$PMI_RANK,$LANDED_ON"'
}
check_launches hydra

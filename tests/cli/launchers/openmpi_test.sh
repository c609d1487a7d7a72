#!/usr/bin/env bash
# Open MPI puts every rank on the host and core that the rankfile says. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs mpirun.openmpi taskset
[ "$(nproc)" -ge 2 ] || skip "the two slots of a host are two cores"
taskset -c 0,1 true 2>/dev/null || skip "cores 0 and 1 are not ours"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for i in 1 2 3 4; do echo "node$i slots=2"; done >hosts

# Daemons that share a map of the machine put it at an address that is not always free, and crash.
launch() {
  # shellcheck disable=SC2016  # for the shell of the rank
  timeout 60 mpirun.openmpi -np 8 --hostfile hosts -rf job.rankfile \
    --mca plm rsh --mca plm_rsh_agent "$folder/remote.sh" --mca rtc_hwloc_vmhole none \
    bash -c 'echo "$OMPI_COMM_WORLD_RANK,$LANDED_ON,$(taskset -cp $$ | sed "s/.*: //")"'
}
check_launches rankfile

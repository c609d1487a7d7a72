#!/usr/bin/env bash
# Open MPI puts every rank on the host and core that the rankfile says. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs mpirun.openmpi taskset
[ "$(nproc)" -ge 2 ] || skip "the two slots of a host are two cores"
taskset -c 0,1 true 2>/dev/null || skip "cores 0 and 1 are not ours"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Daemons that share a map of the machine put it at an address that is not always free, and crash; messages that go by way of
# another daemon are lost where that one starts late.
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$folder/remote.sh OMPI_MCA_rtc_hwloc_vmhole=none OMPI_MCA_routed=direct
# shellcheck disable=SC2016  # for the shell of the rank
write_program 'echo "$OMPI_COMM_WORLD_RANK,$LANDED_ON,$(taskset -cp $$ | sed "s/.*: //")"'
mpirun() { mpirun.openmpi "$@"; }
export -f mpirun
# The hosts of the job are those of the file.
launch() { timeout 60 bash -c "$(printed_for 'Open MPI 4')"; }
check_launches rankfile

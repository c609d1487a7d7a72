#!/usr/bin/env bash
# Open MPI puts every rank on the host and core that the rankfile says. Argument: the command.
vtopo=$(realpath "$1")
. "$(dirname "$0")/launch.sh"
needs mpirun.openmpi taskset
[ "$(nproc)" -ge 2 ] || skip "the two slots of a host are two cores"
taskset -c 0,1 true 2>/dev/null || skip "cores 0 and 1 are not ours"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
version=5  # 4 calls itself mpirun (Open MPI) 4.1.4, or OpenRTE
case $(mpirun.openmpi --version) in *") 4."*) version=4 ;; esac
# Daemons that share a map of the machine put it at an address that is not always free, and crash; messages that go by way of
# another daemon are lost where that one starts late.
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent=$folder/remote.sh OMPI_MCA_rtc_hwloc_vmhole=none OMPI_MCA_routed=direct
# shellcheck disable=SC2016  # for the shell of the rank
write_program 'echo "$OMPI_COMM_WORLD_RANK,$LANDED_ON,$(taskset -cp $$ | sed "s/.*: //")"'
if [ $version = 4 ]; then
  mpirun() { mpirun.openmpi "$@"; }
  export -f mpirun
  # The hosts of the job are those of the file.
  launch() { timeout 60 bash -c "$(printed_for 'Open MPI 4')"; }
  check_launches rankfile
  exit
fi

# Daemons of version 5 say what their node is called, and a job has the hosts of --hostfile.
unshare -u true 2>/dev/null || skip "no right to give a process the name of another host (unshare)"
sed -i 's/^exec .*/exec unshare -u sh -c "hostname $LANDED_ON; $*"/' remote.sh
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_plm=ssh PRTE_MCA_plm_ssh_agent=$folder/remote.sh
printf 'node%d slots=2\n' 1 2 3 4 >hostfile
mpirun() { mpirun.openmpi --hostfile hostfile "$@"; }
export -f mpirun
launch() { timeout 60 bash -c "$(printed_for 'Open MPI 5, PRRTE')"; }
check_launches rankfile
# shellcheck disable=SC2016
write_program 'echo "$OMPI_COMM_WORLD_RANK,$LANDED_ON"'
launch() { timeout 60 bash -c "$(printed_for 'Open MPI 5')"; }
check_launches prrte

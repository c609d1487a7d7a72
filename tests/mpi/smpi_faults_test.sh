#!/usr/bin/env bash
# Each fault of SMPI in smpi_faults.c on four processes, with libvtopo_smpi_repairs preloaded and without: with it the
# run is right, without it the fault is there. Argument: the library; optional: names of faults instead of all.
# Without the library nothing is asked of a SimGrid other than 3.32: it may have mended some; they are counted.
set -euo pipefail
repairs=$(realpath "$1")
shift
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
cd "$work"
SMPI_NO_UNDEFINED_CHECK=1 smpicc -O1 -w "-I$folder/../../sim/mpi" -o program "$folder/smpi_faults.c"
write_torus 2,2 4 torus.xml
printf 'host-%d\n' 0 0 1 2 >hosts
version=$(ldd "$repairs" | sed -n 's/.*libsimgrid\.so\.\([0-9.]*\) .*/\1/p')
failed=0

# Whether a fault is absent from a run. Exit codes and words are those of README.md in sim/mpi.
is_right() { # seconds of the machine at most, name, smpirun options...
  local limit=$1 name=$2 code=0
  shift 2
  rm -f run smpi_faults.data
  VTOPO_RUN=$work/run timeout --foreground "$limit" smpirun -np 4 -platform torus.xml -hostfile hosts \
    --log=root.thres:error --cfg=smpi/simulate-computation:no "$@" ./program "$name" \
    </dev/null >output 2>&1 || code=$?
  case $name in
    probe | deadlock) [ $code = 1 ] && grep -q '"ending":"deadlock".*"call":"MPI_' run ;;
    abort) [ $code = 7 ] ;;
    absent) grep -q '"ending":"absent".*MPI_Open_port' run ;;
    fatal_error) grep -q '"ending":"error","ranks":\[1\],"call":"MPI_Comm_group"' run ;;
    unfinished) grep -q '"ending":"unfinished","ranks":\[1\]' run ;;
    *) [ $code = 0 ] && grep -Eq '(^|[ ,])0 failed$' output ;;
  esac 2>/dev/null
}

names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(
  sed -n 's/.*{"\([a-z_]*\)", [a-z_]*}.*/\1/p' "$folder/smpi_faults.c"
  printf '%s\n' after_main unfinished
)
[ ${#names[@]} -ge 1 ]
for name in "${names[@]}"; do
  options=()
  [ "$name" != chosen_algorithm ] || options=(--cfg=smpi/allreduce:smp_binomial)
  if ! is_right 100 "$name" "${options[@]}" -wrapper "env LD_PRELOAD=$repairs"; then
    echo "$name: not mended by the library"
    tail -n 5 output
    failed=1
  fi
  # Some of the faults are endless loops.
  if (ulimit -t 2 && is_right 10 "$name" "${options[@]}"); then
    echo "$name: SimGrid $version does not have this fault"
    [ "$version" != 3.32 ] || failed=1
  fi
done
echo "${#names[@]} faults with SimGrid $version"
exit $failed

#!/usr/bin/env bash
# Compiles a checking program and runs it with several numbers of processes.
# Arguments: linked or preloaded (SMPI with the overlay), mpich or openmpi; the overlay library;
# the program's source; the numbers of processes, of which only preloaded runs all: the others take the last one, and
# all if VTOPO_LONG_TESTS is set, since the overlay's code is the same.
# Status 77 (skipped) if the library is not installed.
set -euo pipefail
mode=$1 overlay=$2 source=$3
shift 3
[ "$mode" = preloaded ] || [ -n "${VTOPO_LONG_TESTS:-}" ] || set -- "${!#}"
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiler=smpicc fortran=()
case $source in
  *.f90) compiler=smpif90 fortran=(-w "-I$(dirname "$overlay")/../fortran") ;;
  *.cpp) compiler=smpicxx ;;
esac
flags=(-O1 "${fortran[@]}" "-I$folder/../../sim/mpi")
linked=(-Wl,--no-as-needed "$overlay" "-Wl,-rpath,$(dirname "$overlay")")
case $mode in
  linked)
    needs smpirun "$compiler"
    [ "$compiler" = smpif90 ] && needs gfortran
    "$compiler" "${flags[@]}" -o "$work/program" "$source" "${linked[@]}"
    ;;
  preloaded)
    needs smpirun "$compiler"
    [ "$compiler" = smpif90 ] && needs gfortran
    SMPI_NO_UNDEFINED_CHECK=1 "$compiler" "${flags[@]}" -o "$work/program" "$source"
    ;;
  *)
    [ "$compiler" = smpif90 ] && compiler=mpif90.$mode flags=("-J$work") || compiler=mpicc.$mode
    needs "$compiler" "mpiexec.$mode"
    "$compiler" "${flags[@]}" -w -o "$work/program" "$source"
    ;;
esac

write_torus 4,3 12 "$work/torus.xml"
printf 'host-%d\n' 7 3 11 0 5 9 1 10 2 8 4 6 >"$work/hosts"
export VTOPO_NETWORK=torus:4x3 VTOPO_RUN=$work/run
for processes in "$@"; do
  case $mode in
    linked) run=(simulate "$processes" "$work/torus.xml" "$work/hosts" "$work/program") ;;
    preloaded)
      run=(simulate "$processes" "$work/torus.xml" "$work/hosts" -wrapper "env LD_PRELOAD=$overlay"
        "$work/program")
      ;;
    openmpi)
      run=(timeout --foreground 200 mpiexec.openmpi -n "$processes" --oversubscribe
        --allow-run-as-root "$work/program")
      ;;
    *) run=(timeout --foreground 200 "mpiexec.$mode" -n "$processes" "$work/program") ;;
  esac
  "${run[@]}" </dev/null >"$work/output" 2>&1 || {
    echo "$processes processes ended with status $?"
    tail -n 40 "$work/output"
    exit 1
  }
  tail -n 20 "$work/output"
  case $mode in linked | preloaded)
    # Joined once and left once: the overlay knows the end of the run and no other ending.
    grep -o '"schema":"[^"]*"' "$work/run" | diff - <(echo '"schema":"vtopo/run/v1"')
    rm "$work/run"
    ;;
  esac
  grep -Eq '(^|[ ,])0 failed$' "$work/output"
done

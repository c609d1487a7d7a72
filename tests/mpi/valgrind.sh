#!/usr/bin/env bash
# Runs the checking programs of this folder and random calls of tests/conformance under valgrind. Not
# in CI: it takes minutes. An error in the overlay, or anywhere but in what valgrind.supp names, is a
# failure. Arguments: the overlay library, the program vtopo_answers; optional: programs instead of all.
set -euo pipefail
overlay=$(realpath "$1") vtopo_answers=$(realpath "$2")
shift 2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder smpicxx valgrind
cd "$work"
write_torus 4,3 12 torus.xml
printf 'host-%d\n' 7 3 11 0 5 9 1 10 2 8 4 6 >hosts
export VTOPO_NETWORK=torus:4x3 VTOPO_STEPS=200
linked=(-Wl,--no-as-needed "$overlay" "-Wl,-rpath,$(dirname "$overlay")")
# SMPI opens a copy of the program per process; the stacks of processes are its own.
valgrind="valgrind -q --error-exitcode=99 --suppressions=$folder/valgrind.supp --num-callers=30"
failed=0

# Runs a program on some processes and prints what valgrind says of it.
run() { # name, processes, program...
  local name=$1 processes=$2 code=0
  shift 2
  simulate "$processes" torus.xml hosts --cfg=smpi/keep-temps:yes --cfg=contexts/stack-size:1024 \
    -wrapper "$valgrind --log-file=$work/valgrind.%p" "$@" >output 2>&1 || code=$?
  cat valgrind.* >report 2>/dev/null || true
  rm -f valgrind.*
  if [ $code = 0 ] && [ ! -s report ]; then
    echo "$name on $processes processes: no error"
    return
  fi
  echo "$name on $processes processes: exit code $code"
  head -n 60 report
  tail -n 5 output
  failed=1
}

programs=("$@")
[ ${#programs[@]} -gt 0 ] || programs=(collectives.c communicators.c nested.c persistent.c left_open.c one_sided.c errors.c classes.cpp answers)
for program in "${programs[@]}"; do
  case $program in
    answers)
      smpicc -g -O1 -o program "$folder/../conformance/mpi_answers.c" "${linked[@]}"
      "$vtopo_answers" 12 2 1 script expected
      VTOPO_REORDER=0 run answers 12 ./program script
      ;;
    one_sided.c) # with the file of a run, MPI_Probe is the overlay's own
      smpicc -g -O1 -o program "$folder/$program" "${linked[@]}"
      VTOPO_RUN=$work/run.json run "$program" 5 ./program
      ;;
    *.cpp)
      smpicxx -g -O1 "-I$folder/../../sim/mpi" -o program "$folder/$program" "${linked[@]}"
      run "$program" 6 ./program
      ;;
    *)
      smpicc -g -O1 "-I$folder/../../sim/mpi" -o program "$folder/$program" "${linked[@]}"
      run "$program" 4 ./program
      ;;
  esac
done
exit $failed

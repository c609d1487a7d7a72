#!/usr/bin/env bash
# Records programs of known traffic under an MPI library, preloaded and linked, and compares every
# number; then lets vtopo read the recording. Arguments: mpich or openmpi, the command vtopo.
# Status 77 (skipped) if the library is not installed.
set -euo pipefail
library=$1 vtopo=$2
folder=$(cd "$(dirname "$0")" && pwd)
sources=$folder/../../sim/record
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library"
launch+=(-np 4)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# record NAME PROGRAM [PRELOADED]: runs it and compares with NAME.expected.csv
record() {
  local preload=()
  [ $# -gt 2 ] && preload=(env "LD_PRELOAD=$3")
  VTOPO_RECORD=$work/$1.csv timeout --foreground 200 \
    "${launch[@]}" "${preload[@]}" "$work/$2" </dev/null >"$work/output" 2>&1 || {
    echo "$2 ended with status $?"
    cat "$work/output"
    exit 1
  }
  if grep -q 'no MPI_THREAD_MULTIPLE' "$work/output"; then return; fi
  diff -u "$folder/$1.expected.csv" "$work/$1.csv"
  [ ! -e "$work/$1.csv.part" ]
}

compile=("mpicc.$library" -std=gnu11 -O1 -Wall -Wextra -Werror)
recorder=$work/libvtopo_record.so
"${compile[@]}" -shared -fPIC "$sources"/*.c -o "$recorder" -lpthread
# What each source stands on is above it in the table of README.md: it links without the ones below.
below=()
for source in state traffic trace_file requests; do
  below+=("$sources/$source.c")
  "${compile[@]}" -shared -fPIC -Wl,-z,defs "${below[@]}" -o "$work/below.so" -lpthread
done
"${compile[@]}" "$folder/known_traffic.c" -o "$work/preloaded"
"${compile[@]}" "$folder/known_traffic.c" -o "$work/linked" "$recorder" -Wl,-rpath,"$work"
"${compile[@]}" "$folder/many_threads.c" -o "$work/many_threads" -lpthread
record known_traffic preloaded "$recorder"
record known_traffic linked
record many_threads many_threads "$recorder"
"${compile[@]}" "$folder/reused_communicators.c" -o "$work/reused_communicators"
record reused_communicators reused_communicators "$recorder"
# A trace beside it takes nothing from it.
VTOPO_RECORD_TRACE=$work/traces record known_traffic preloaded "$recorder"
[ -s "$work/traces/rank-3.trace" ]
if command -v gfortran >/dev/null && command -v "mpifort.$library" >/dev/null; then
  "mpifort.$library" "$folder/halo.f90" -o "$work/halo"
  record halo halo "$recorder"
  printf 'use mpi_f08\ncall MPI_Init()\ncall MPI_Finalize()\nend\n' >"$work/f08.f90"
  if "mpifort.$library" "$work/f08.f90" -o "$work/f08" 2>/dev/null; then
    timeout --foreground 200 "${launch[@]}" env "LD_PRELOAD=$recorder" "VTOPO_RECORD=$work/f08.csv" \
      "$work/f08" </dev/null >"$work/output" 2>&1
    grep -qx 'vtopo_record: nothing is recorded: the program uses mpi_f08' "$work/output"
  fi
fi

# What is not a file is written, not replaced.
mkfifo "$work/pipe.csv"
cat "$work/pipe.csv" >"$work/piped.csv" &
VTOPO_RECORD=$work/pipe.csv timeout --foreground 200 \
  "${launch[@]}" env "LD_PRELOAD=$recorder" "$work/preloaded" </dev/null >"$work/output" 2>&1
[ -p "$work/pipe.csv" ]
wait
diff -u "$folder/known_traffic.expected.csv" "$work/piped.csv"

# Read back: edges, bytes in all, bytes from ranks to themselves. By hand from the expected file: 16
# pairs, 2 -> 1 without point-to-point; 949 bytes of collectives.
for kinds in p2p all; do
  "$vtopo" evaluate --traffic "$work/known_traffic.csv" --record-kinds $kinds --network torus:4 \
    --no-simulate --timing off --format csv | tail -1
done | cut -d, -f5-7 >"$work/read_back"
diff -u "$folder/read_back.expected" "$work/read_back"

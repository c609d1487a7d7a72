#!/usr/bin/env bash
# What the overlay of sim/mpi costs a program that SMPI can run by itself: processor time of halo exchanges
# on 512 simulated ranks without and with the overlay, in turns. By hand; wants an idle machine.
# Arguments: the overlay library; runs of each (default 5); processes along an edge (8); exchanges (50).
set -euo pipefail
overlay=$(realpath "$1") runs=${2:-5} edge=${3:-8} exchanges=${4:-50}
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../mpi/platform.sh
. "$folder/../mpi/platform.sh"
make_work_folder
smpicc -O2 -o "$work/program" "$folder/mpi_overhead_program.c"
hosts=$((edge * edge * edge))
write_torus "$edge,$edge,$edge" "$hosts" "$work/torus.xml"
seq -f 'host-%.0f' 0 $((hosts - 1)) >"$work/hosts"
TIMEFORMAT='%U'  # seconds of user time; system time (pages of private copies) varies more than the overlay costs
measure() { # name, wrapper...
  { time simulate "$hosts" "$work/torus.xml" "$work/hosts" -wrapper "${*:2}" \
    "$work/program" "$edge" "$exchanges" >/dev/null 2>&1; } 2>>"$work/$1"
}
for ((i = 0; i < runs; ++i)); do
  measure plain env
  measure overlay env "LD_PRELOAD=$overlay"
done
sort -n "$work/plain" >"$work/plain.sorted"
sort -n "$work/overlay" >"$work/overlay.sorted"
paste "$work/plain.sorted" "$work/overlay.sorted" | awk '
  { plain[NR] = $1; overlay[NR] = $2 }
  END {
    m = int((NR + 1) / 2)
    printf "user seconds of %d runs each: plain %s to %s, median %s; overlay %s to %s, median %s\n", NR,
      plain[1], plain[NR], plain[m], overlay[1], overlay[NR], overlay[m]
    printf "the overlay costs %+.1f %% by the medians, %+.1f %% by the fastest runs\n",
      100 * (overlay[m] / plain[m] - 1), 100 * (overlay[1] / plain[1] - 1)
  }'

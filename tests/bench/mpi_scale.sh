#!/usr/bin/env bash
# What simulated ranks cost with the overlay of sim/mpi, beside SMPI without it: processor time and memory of halo exchanges
# on a torus of as many hosts (six messages of 8 KiB per rank; EXCHANGES, else 20,480 / ranks and at least 5), without
# the overlay, with it, and with it recording traffic, in turns. By hand. Arguments: the overlay library; runs of each (3),
# of which the median counts; sizes of the torus (4x4x4 8x8x8 16x16x8 16x16x16 32x16x16). WORLD=1: without
# MPI_Cart_create, which ranks leave at other times by SMPI's than by the overlay's, and how much messages then overlap
# decides what an exchange costs to simulate. Needs GNU time.
set -euo pipefail
overlay=$(realpath "$1") runs=${2:-3}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 4x4x4 8x8x8 16x16x8 16x16x16 32x16x16
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../mpi/platform.sh
. "$folder/../mpi/platform.sh"
make_work_folder
smpicc -O2 -o "$work/program" "$folder/mpi_overhead_program.c"
measure() { # name, sizes, variable=value...: a line with seconds of processor time, KiB
  /usr/bin/time -o "$work/time" -f '%U %S %M' smpirun -np "$hosts" -platform "$work/torus.xml" -hostfile "$work/hosts" \
    --log=root.thres:error --cfg=smpi/simulate-computation:no -wrapper "env ${*:3}" \
    "$work/program" "$2" "$exchanges" 8192 ${WORLD:+world} >"$work/output" 2>&1 </dev/null || { tail -n 5 "$work/output" && return 1; }
  awk '{ print $1 + $2, $3 }' "$work/time" >>"$work/$1.$2"
}
median() { # column, file
  awk -v column="$1" '{ print $column }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
echo "| ranks | SMPI | with the overlay | ratio | recording | ratio to the overlay |"
echo "|---|---|---|---|---|---|"
for sizes in "$@"; do
  hosts=$((${sizes//x/*}))
  exchanges=${EXCHANGES:-$((20480 / hosts > 5 ? 20480 / hosts : 5))}
  write_torus "${sizes//x/,}" "$hosts" "$work/torus.xml"
  seq -f 'host-%.0f' 0 $((hosts - 1)) >"$work/hosts"
  for ((i = 0; i < runs; ++i)); do
    measure plain "$sizes" VTOPO_NONE=1
    measure overlay "$sizes" "LD_PRELOAD=$overlay"
    measure record "$sizes" "LD_PRELOAD=$overlay" "VTOPO_RECORD=$work/traffic.csv"
  done
  for kind in plain overlay record; do
    echo "$(median 1 "$work/$kind.$sizes") $(median 2 "$work/$kind.$sizes")"
  done | awk -v hosts="$hosts" '
    { seconds[NR] = $1; memory[NR] = $2 / 1024 }
    END { printf "| %d | %.1f s, %.0f MiB | %.1f s, %.0f MiB | %.2f | %.1f s, %.0f MiB | %.2f |\n", hosts, seconds[1], memory[1],
            seconds[2], memory[2], seconds[2] / seconds[1], seconds[3], memory[3], seconds[3] / seconds[2] }'
done

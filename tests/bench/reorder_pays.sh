#!/usr/bin/env bash
# What reordering saves of the simulated time of programs, that it never costs more than 1 %, and how
# much of the gain it has that the best of three objectives would have: exchanges of halo_programs.c
# and examples/mpi, on a torus, a fat tree and a dragonfly, launched in block and in random order.
# Arguments: the command vtopo; then options for vtopo mpirun. INDEPENDENT: the folder that
# independent_programs.sh has made, its programs too (with --force-reorder: they ask for reorder=0).
# OBJECTIVES: others than hop-bytes, max-congestion and max-dilation; empty: not asked. Prints a line per run: ratio of the time
# as launched (below 1: faster), that of each objective; and sums in the end.
set -euo pipefail
vtopo=$(realpath "$1")
shift
folder=$(cd "$(dirname "$0")" && pwd)
examples=$folder/../../examples/mpi
objectives=${OBJECTIVES-hop-bytes max-congestion,hop-bytes max-dilation,hop-bytes}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$vtopo" cc -w -O1 -o halo "$folder/halo_programs.c"
programs=("halo sendrecv2 1024" "halo sendrecv2 262144" "halo sendrecv2p 65536" "halo sendrecv3 65536" "halo isend2 65536"
  "halo isend3p 65536" "halo rows2p 65536" "halo wave2 65536" "halo neighbour3 65536" "halo hypercube 65536")
for example in poisson.c summa.c shuffle_exchange.c halo3d.c cannon.f90 torus_diagonals.cpp; do
  case $example in *.c) verb=cc ;; *.cpp) verb=cxx ;; *) verb=fc ;; esac
  "$vtopo" $verb -w -O1 -o "${example%.*}" "$examples/$example" -lm
  programs+=("${example%.*}")
done
if [ -n "${INDEPENDENT-}" ]; then
  while read -r line; do
    ln -s "$(realpath "$INDEPENDENT/${line%% *}")" .
    programs+=("$line")
  done <"$INDEPENDENT/programs"
fi
ratio() { # NETWORK ORDER PROGRAM OPTION...: of the simulated time as launched
  local network=$1 order=$2 program=$3
  shift 3
  # shellcheck disable=SC2086
  "$vtopo" mpirun -np 16 --network "$network" --launcher-mapper "$order" --compare --force-reorder --timing off "$@" \
    -o report.json ./$program >/dev/null 2>error </dev/null && grep -o '"saved_share": *[^,}]*' report.json |
    sed 's/.*: *//' | awk '{ printf "%.4f", 1 - $1 }' || echo failed
}
for network in torus:4x4 'fat-tree:2;4,4;1,2;1,2' 'dragonfly:4,1;2,1;1,1;2'; do
  for order in block random; do
    for program in "${programs[@]}"; do
      line="$network $order $(ratio "$network" $order "$program" "$@")"
      for objective in $objectives; do line+=" $(ratio "$network" $order "$program" "$@" --objective "$objective")"; done
      echo "$line $program"
    done
  done
done | awk -v objectives="$(wc -w <<<"$objectives")" '
  { print; fflush()
    if ($0 ~ / failed /) { ++failed; next }
    if ($3 > worst) { worst = $3; where = $0 }
    best = 1
    for (i = 4; i < 4 + objectives; ++i) if ($i < best) best = $i
    sum += $3; ++n; gain += 1 - $3; best_gain += 1 - best
    if ($3 > 1.01) ++above
    if (1 - $3 < 0.9 * (1 - best)) ++short }
  END { printf "%d runs, %d failed, worst %s (%s), mean %.4f, above 1.01: %d\n", n, failed, worst, where, sum / n, above
        if (best_gain > 0) printf "gain of the best objective: %.3f of it, below 0.9 in %d runs\n", gain / best_gain, short }'

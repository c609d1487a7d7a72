#!/usr/bin/env bash
# What reordering saves of the simulated time of programs, and that it never costs more than 1 %:
# exchanges of halo_programs.c and examples/mpi, on a torus, a fat tree and a dragonfly, launched in
# block and in random order. Argument: the command vtopo; then options for vtopo mpirun. Prints a line per
# run: ratio of the time as launched (below 1: faster), and the worst and the mean in the end.
set -euo pipefail
vtopo=$(realpath "$1")
shift
folder=$(cd "$(dirname "$0")" && pwd)
examples=$folder/../../examples/mpi
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
for network in torus:4x4 'fat-tree:2;4,4;1,2;1,2' 'dragonfly:4,1;2,1;1,1;2'; do
  for order in block random; do
    for program in "${programs[@]}"; do
      # shellcheck disable=SC2086
      share=$("$vtopo" mpirun -np 16 --network "$network" --launcher-mapper $order --compare --timing off "$@" \
        -o report.json ./$program >/dev/null 2>error && grep -o '"saved_share": *[^,}]*' report.json | sed 's/.*: *//') ||
        share=failed
      echo "$network $order $share $program"
    done
  done
done | awk '{ ratio = $3 == "failed" ? "failed" : sprintf("%.4f", 1 - $3); $3 = ratio; print
              if (ratio == "failed") { ++failed; next }
              if (ratio > worst) { worst = ratio; where = $0 }
              sum += ratio; ++n; if (ratio > 1.01) ++above }
     END { printf "%d runs, %d failed, worst %s (%s), mean %.4f, above 1.01: %d\n", n, failed, worst, where, sum / n, above }'

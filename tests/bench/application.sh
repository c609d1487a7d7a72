#!/usr/bin/env bash
# An application of others under three placements on two machines, by vtopo's clock and by SMPI.
# application.sh VTOPO LULESH: the command, and a folder with the sources of LLNL's LULESH 2. 64 ranks on 16 nodes, 20 steps of
# 20^3 elements per rank, no local work. Prints a row per machine and placement: simulated ms by the clock and by SMPI.
set -euo pipefail
vtopo=$(realpath "$1") sources=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
program=(-s 20 -i 20) job=(--nodes 16 --ranks-per-node 4)

"$vtopo" cxx -O2 -w -DUSE_MPI=1 -I"$sources" -o lulesh "$sources"/*.cc -lm
"$vtopo" platform generate --network torus:4x4x4 -o recording.xml 2>/dev/null
seq -f host-%.0f 0 63 >hosts
smpicxx -O2 -w -DUSE_MPI=1 -I"$sources" -o recorded "$sources"/*.cc -lm
smpirun -np 64 -platform recording.xml -hostfile hosts -trace-ti --cfg=tracing/filename:"$folder/trace" \
  --cfg=smpi/simulate-computation:no ./recorded "${program[@]}" >/dev/null 2>&1

simulated_ms() { python3 -c "import json, sys; print(f'{json.load(open(sys.argv[1]))[\"rows\"][0][\"makespan\"] * 1e3:.4g}')" "$1"; }
echo "machine placement clock_ms smpi_ms"
for machine in lumi fugaku; do
  for placement in block random portfolio; do
    # map never writes what is slower than block: the random order is that of block, its ranks shuffled.
    mapper=${placement/random/block}
    "$vtopo" map --trace trace --platform $machine "${job[@]}" --mapper "$mapper" --min-gain 0 -o placed.csv >/dev/null 2>&1
    head -n 1 placed.csv >placement.csv
    tail -n +2 placed.csv | if [ $placement = random ]; then python3 -c "
import random, sys
rows = [line.rstrip().split(',', 1) for line in sys.stdin]
places = [place for _, place in rows]
random.Random(1).shuffle(places)
print(*(f'{rank},{place}' for (rank, _), place in zip(rows, places)), sep='\n')"; else cat; fi >>placement.csv
    "$vtopo" simulate --trace trace --platform $machine "${job[@]}" --embedding placement.csv -o clock.json >/dev/null 2>&1
    "$vtopo" mpirun -np 64 --platform $machine "${job[@]}" --embedding placement.csv -o smpi.json \
      ./lulesh "${program[@]}" >/dev/null 2>&1
    echo "$machine $placement $(simulated_ms clock.json) $(simulated_ms smpi.json)"
  done
done

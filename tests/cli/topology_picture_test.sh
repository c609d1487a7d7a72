#!/usr/bin/env bash
# Pictures of virtual topologies: what `topology -o` draws, by the options that it has for its answers. Arguments: the
# command, the source folder.
set -euo pipefail
vtopo=$1 source=$2
cd "$source"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "$1" >&2
  exit 1
}
"$vtopo" topology cart:4x6p --shift 1,1 --neighbors 8 --sub 0,1 -o "$folder/all.html"
# 24 arrows of a shift along a periodic dimension, 4 neighbours, 4 rows of ranks
[ "$(grep -o 'marker-end=' "$folder/all.html" | wc -l)" -eq 24 ] || fail "not 24 arrows"
for label in −d0 +d0 −d1 +d1; do grep -q ">$label</text>" "$folder/all.html" || fail "no neighbour $label"; done
grep -q 'communicator 3: ranks 18 19 20 21 22 23' "$folder/all.html" || fail "not the last communicator"
grep -q '^neighbors 8 ' "$folder/all.html" || fail "no answers below the picture"
"$vtopo" topology dist:examples/pipeline.dist --neighbors 2 -o "$folder/graph.svg"
[ "$(grep -c '<rect class="box' "$folder/graph.svg")" -eq 6 ] || fail "not six ranks of a graph"
"$vtopo" topology cart:4x4 --coords 5 -o "$folder/answers.json"
grep -q '"cart_coords"' "$folder/answers.json" || fail "no JSON by extension"
code=0
"$vtopo" topology cart:4x4 -o "$folder/grid.png" 2>"$folder/error" || code=$?
[ "$code" -eq 2 ] && grep -q 'accepted: .svg, .html' "$folder/error" || fail "an unknown extension is not refused"
code=0
"$vtopo" topology cart:100x100 -o "$folder/grid.svg" 2>"$folder/error" || code=$?
[ "$code" -eq 2 ] && grep -q 'room for 1,024 ranks' "$folder/error" || fail "too many ranks are not refused"

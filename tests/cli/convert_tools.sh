#!/usr/bin/env bash
# Scotch and METIS read what vtopo writes for them: convert_tools.sh VTOPO
# What they count must be what the guest has. Skipped (77) where neither is installed.
set -euo pipefail
vtopo=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checked=no

fail() {
  echo "$1"
  exit 1
}

# 4x4 open halo: 16 ranks, 24 pairs, each 65536 both ways along one dimension and 32768 along the
# other: 12 * 131072 + 12 * 65536 = 2359296 in sum.
"$vtopo" convert examples/halo-4x4.csv "$folder/halo.grf" 2>/dev/null
"$vtopo" convert examples/halo-4x4.csv "$folder/halo.graph" 2>/dev/null
"$vtopo" convert shuffle:1:cart:8x8 "$folder/grid.grf" --unit 1KiB 2>/dev/null

if command -v gtst >/dev/null && command -v scotch_gmap >/dev/null; then
  checked=yes
  gtst "$folder/halo.grf" >"$folder/halo.txt"
  # gtst sums loads at both ends of each edge.
  for figures in 'Vertex[[:space:]]nbr=16' 'Edge[[:space:]]nbr=24' 'Edge load.*sum=4718592'; do
    grep -Eq "$figures" "$folder/halo.txt" || fail "gtst: $(cat "$folder/halo.txt")"
  done
  # Its mapping of 64 ranks on a torus comes back as a file for a launcher.
  printf 'torus2D 8 8\n' >"$folder/torus.tgt"
  scotch_gmap "$folder/grid.grf" "$folder/torus.tgt" "$folder/grid.map"
  "$vtopo" convert "$folder/grid.map" "$folder/grid.rankfile" --network torus:8x8 --slots 4
  [ "$(grep -c '^rank ' "$folder/grid.rankfile")" = 64 ] || fail "the mapping of Scotch was lost"
fi

if command -v graphchk >/dev/null && command -v gpmetis >/dev/null; then
  checked=yes
  graphchk "$folder/halo.graph" >"$folder/chk.txt"
  grep -q 'correct' "$folder/chk.txt" || fail "graphchk: $(cat "$folder/chk.txt")"
  gpmetis "$folder/halo.graph" 4 >"$folder/part.txt"
  grep -Eq '#Vertices: 16, #Edges: 24' "$folder/part.txt" || fail "gpmetis: $(cat "$folder/part.txt")"
  "$vtopo" convert "$folder/halo.graph.part.4" "$folder/halo.smpi" --network torus:4 --slots 16
  [ "$(wc -l <"$folder/halo.smpi")" = 16 ] || fail "the partition of METIS was lost"
fi

[ $checked = yes ] || { echo "skipped: neither Scotch's nor METIS's programs are installed (packages scotch, metis)"; exit 77; }

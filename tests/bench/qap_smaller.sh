#!/usr/bin/env bash
# Instances of QAPLIB that are the first facilities of a larger one: qap_smaller.sh VTOPO FOLDER [LIMIT]
# FOLDER has nug15.dat and nug30.dat (n, distances, flows). Of each: hop-bytes by `vtopo map` in LIMIT
# (default 10s) beside the optimum that QAPLIB names; exits with 1 where one is not reached.
set -euo pipefail
vtopo=$1 folder=$2 limit=${3:-10s}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Flows between the first $2 facilities of a file, as a matrix of traffic.
first_flows() {
  tr -s ' \r\n' '\n' <"$1" | grep . | awk -v size="$2" '
    NR == 1 { n = $1; print "src,dst,bytes"; next }
    { at = NR - 2 - n * n; row = int(at / n); column = at % n }
    at >= 0 && row < size && column < size && $1 > 0 { print row "," column "," $1 }'
}

missed=0
while read -r name of size network optimum; do
  first_flows "$folder/$of.dat" "$size" >"$work/$name.csv"
  "$vtopo" map --traffic "$work/$name.csv" --network "$network" --hosts "first:$size" --objective hop-bytes \
    --time-limit "$limit" --format csv >"$work/rows" 2>"$work/error" || { cat "$work/error"; exit 2; }
  found=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "hop_bytes") column = i }
                   NR > 1 && (NR == 2 || $column < least) { least = $column } END { print least }' "$work/rows")
  echo "$name of $of on $network: $found, optimum $optimum"
  [ "$found" = "$optimum" ] || missed=1
done <<'END'
nug14 nug15 14 mesh:3x5 1014
nug21 nug30 21 mesh:3x7 2438
nug22 nug30 22 mesh:2x11 3596
nug24 nug30 24 mesh:4x6 3488
nug27 nug30 27 mesh:3x9 5234
nug28 nug30 28 mesh:4x7 5166
END
exit "$missed"

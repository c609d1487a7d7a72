#!/usr/bin/env bash
# A halo exchange of processes on shuffled hosts of a torus is faster when ranks are reordered; the
# report says why.
# Arguments: the overlay library; sizes of the torus and its grid, equal in all three dimensions;
# the least ratio of the times.
set -euo pipefail
overlay=$1 size=$2 least=$3
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
smpicc -O1 -o "$work/halo" "$folder/halo.c"
hosts=$((size * size * size))
write_torus "$size,$size,$size" "$hosts" "$work/torus.xml"
# Multiplication by a number prime to the number of hosts, plus a square: a shuffle that is the same everywhere.
awk -v n="$hosts" 'BEGIN {
  srand(1)
  for (i = 0; i < n; ++i) place[i] = i
  for (i = n - 1; i > 0; --i) { j = int(rand() * (i + 1)); t = place[i]; place[i] = place[j]; place[j] = t }
  for (i = 0; i < n; ++i) print "host-" place[i]
}' >"$work/hosts"
export VTOPO_NETWORK="torus:${size}x${size}x${size}"
exchange() { # reorder or not, report
  VTOPO_REORDER=$1 VTOPO_REPORT=$2 simulate "$hosts" "$work/torus.xml" "$work/hosts" \
    -wrapper "env LD_PRELOAD=$overlay" "$work/halo" "$size" | awk '$1 == "exchange" { print $2 }'
}
off=$(exchange 0 "$work/off")
on=$(exchange 1 "$work/on")
echo "one exchange: $off s in the old order, $on s reordered"
cut -c 1-160 "$work/off" "$work/on"
grep -q '"mapper":null,' "$work/off"
grep -q '"kept_because":null,' "$work/on"
awk -v off="$off" -v on="$on" -v least="$least" 'BEGIN {
  printf "ratio %.2f, at least %s is expected\n", off / on, least
  exit !(on > 0 && off / on >= least)
}'

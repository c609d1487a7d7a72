#!/usr/bin/env bash
# Whether `vtopo map --time-limit T` ends in time on every network: time_limits.sh VTOPO [SECONDS]
# An irregular guest on all hosts of each, by the clock. Exit code 1 if a run takes more than 1.05 T.
set -euo pipefail
vtopo=$1
limit=${2:-2}

# network, hosts, routing
networks='torus:16x16x16 4096 simgrid
torus:8x8x8 512 ecmp
mesh:64x64 4096 simgrid
fat-tree:2;64,64;1,8;1,1 4096 simgrid
fat-tree:3;16,16,16;1,8,8;1,1,1 4096 ecmp
dragonfly:9,1;4,1;16,1;8,pair_links=16 4608 simgrid
dragonfly:9,1;4,1;8,1;4,pair_links=16 1152 simgrid
dragonfly:16,1;4,1;4,1;4 1024 valiant
dragonfly-plus:16;16,16;16 4096 simgrid
hyperx:16x16,per_router=8 2048 simgrid
slim-fly:q=17,per_router=6 3468 simgrid
platforms/theta.xml 3456 simgrid
platforms/frontera.xml 4096 simgrid'

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
late=0
printf '| network | routing | ranks | elapsed, s | of the limit |\n|---|---|---|---|---|\n'
while read -r network ranks routing; do
  ranks=$((ranks < 4096 ? ranks : 4096))
  where=(--network "$network" --routing "$routing")
  [[ $network == *.xml ]] && where=(--platform "$network")
  start=$(date +%s%N)
  "$vtopo" map --topology "rgg:$ranks:8:1" "${where[@]}" --hosts "random:$ranks" --time-limit "${limit}s" \
    -o "$out/x.csv" >/dev/null 2>"$out/error" || cat "$out/error"
  elapsed=$((($(date +%s%N) - start) / 1000000))
  printf '| `%s` | %s | %d | %d.%03d | %d %% |\n' "$network" "$routing" "$ranks" $((elapsed / 1000)) $((elapsed % 1000)) \
    $((elapsed * 100 / (limit * 1000)))
  ((elapsed * 100 > limit * 105000)) && late=1
done <<<"$networks"
uptime
exit $late

#!/usr/bin/env bash
# How far `vtopo allocate` is from the best of all host sets: allocate_optimum.sh VTOPO [CASES] [SETS]
# Random jobs of 4 to 10 ranks on 12 to 20 free hosts of eight networks, by the default search and by
# one of SETS sets (default 2000), compared with --every-set. The last lines are a table of these.
set -euo pipefail
vtopo=$1
cases=${2:-40}
sets=${3:-2000}
networks=(torus:4x4x2 mesh:6x6 'fat-tree:2;4,6;1,2;1,1' 'fat-tree:3;4,2,3;1,1,2;1,1,1'
  'dragonfly:3,1;2,1;4,1;2' 'dragonfly-plus:4;2,2;3' hyperx:4x4,per_router=2 slim-fly:q=5,per_router=1)
RANDOM=17
seconds() { sed -n 's/.*"predicted_seconds": \([0-9.e-]*\),.*/\1/p'; }
for ((i = 0; i < cases; ++i)); do
  ranks=$((4 + RANDOM % 7))
  guests=("cart:2x$((ranks / 2))" "cart:${ranks}p" "rgg:$ranks:3:$i" "shuffle:$i:cart:2x$((ranks / 2))")
  job=(allocate --network "${networks[RANDOM % 8]}" --topology "${guests[RANDOM % 4]}"
    --free "random:$((12 + RANDOM % 9))" --seed "$i" --format json)
  best=$("$vtopo" "${job[@]}" --every-set 2>/dev/null | seconds)
  default=$("$vtopo" "${job[@]}" 2>/dev/null | seconds)
  few=$("$vtopo" "${job[@]}" --max-sets "$sets" 2>/dev/null | seconds)
  echo "$best $default $few ${job[*]:1:7}"
done | awk -v sets="$sets" '{
  print $0
  for (s = 2; s <= 3; ++s) {
    ratio = $s / $1; sum[s] += ratio; if (ratio > most[s]) most[s] = ratio; near[s] += ratio <= 1.05
  }
} END {
  print "search        cases  within 5 %  mean excess  largest"
  for (s = 2; s <= 3; ++s)
    printf "%-12s %6d %10d %11.2f %% %6.1f %%\n", s == 2 ? "default" : sets " sets", NR, near[s],
      100 * (sum[s] / NR - 1), 100 * (most[s] - 1)
}'

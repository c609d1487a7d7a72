#!/usr/bin/env bash
# What people run most often fits their terminal: no line of standard output is wider than 80
# columns, or than COLUMNS says; without a terminal nothing differs.
# width_test.sh VTOPO SOURCES
set -uo pipefail
vtopo=$1
cd "$2" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# One command per line, as a shell reads it.
cat >"$folder/commands" <<'END'
compare --topology cart:8x8x8 --network torus:8x8x8
compare --topology cart:32x32 --platform platforms/frontier.xml --slots 64 --hosts first:16 --mapper block,hyperplane,random
compare --topology cart:8x8 --network torus:8x8 --mapper block,greedy --columns all
compare --topology cart:8x8 --topology cart:4x16 --network torus:8x8 --network 'fat-tree:2;8,8;1,4;1,1' --mapper block,greedy
compare --topology cart:8x8 --network torus:8x8 --with fail-link=random:3:seed=1..4 --mapper block,greedy
compare --topology cart:8x8 --network torus:8x8 --mapper block,multilevel,stencil_strips:height=root,external:command=/bin/false --no-simulate --sensitivity 20%
map --topology cart:8x8 --network torus:4x4 --slots 4 --mapper hyperplane -o $TMP/job.slurm
evaluate --topology cart:16x16 --platform platforms/frontera.xml --slots 56 --mapper greedy
simulate --topology cart:4x4 --network torus:4x4 --pattern phased,allreduce:algorithm=ring
simulate --trace examples/ring.goal --network torus:4x4 --critical-path 5
allocate --topology cart:4x4 --platform platforms/theta.xml --slots 1 --time-limit 1s
mappers
networks
bench --instances quick --list
bench --instances q6-torus --mapper block,greedy --seeds 1,2 --timing off
platform describe platforms/frontier.xml
platform describe --network 'dragonfly:9,4;6,3;16,1;4' --fail-host host-9
platform links platforms/two-rooms.xml
platform route 0 63 --network torus:4x4x4
topology cart:16x16 --coords 5 --shift 0,1 --of 3 --neighbors 5 --sub 1,0
dims 48 2
END

for columns in "" 60 132; do
  limit=${columns:-80}
  while IFS= read -r line; do
    eval "words=(${line//\$TMP/$folder})"
    if [ -n "$columns" ]; then export COLUMNS=$columns; else unset COLUMNS; fi
    "$vtopo" "${words[@]}" >"$folder/out" 2>"$folder/err" </dev/null
    code=$?
    widest=$(LC_ALL=C.UTF-8 wc -L <"$folder/out")
    if [ ! -s "$folder/out" ] && [[ $line != *bin/false* ]]; then
      echo "vtopo $line: exit $code, nothing on standard output: $(cat "$folder/err")"
      failed=1
    elif [ "$widest" -gt "$limit" ]; then
      echo "vtopo $line: $widest columns, at most $limit"
      failed=1
    fi
  done <"$folder/commands"
done

# On a terminal the same but colours.
if command -v script >/dev/null; then
  unset COLUMNS
  words="compare --topology cart:4x4 --network torus:4x4 --mapper block,random --timing off"
  "$vtopo" $words >"$folder/pipe" 2>/dev/null
  TERM=xterm script -qec "$vtopo $words 2>/dev/null" /dev/null </dev/null |
    sed 's/\x1b\[[0-9]*m//g; s/\r$//' >"$folder/terminal"
  diff "$folder/pipe" "$folder/terminal" || failed=1
fi
exit $failed

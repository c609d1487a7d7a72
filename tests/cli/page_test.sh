#!/usr/bin/env bash
# The HTML report in a browser: no complaint on its console, nothing loaded, tables sort, pictures say
# what lies under the pointer and the arrow keys. Needs the packages chromium and nodejs; ends with 77
# (skipped) without them. Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
cd "$2"
# shellcheck source=../support/needs.sh
. tests/support/needs.sh
needs chromium node

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
hostile='<img src=x onerror="window.hacked=1">'
{
  echo src,dst,bytes
  for ((r = 0; r < 16; ++r)); do
    echo "$r,$(((r + 1) % 16)),$((1000 * (r + 1)))"
    echo "$r,$(((r + 4) % 16)),5000"
  done
} >"$folder/$hostile.csv"
"$vtopo" compare --traffic "$folder/$hostile.csv" --network torus:4x4 --mapper block,random,greedy \
  --timing off -o "$folder/torus.html"
"$vtopo" compare --topology cart:8x8 --network 'fat-tree:2;8,8;1,4;1,1' --mapper random,block,greedy \
  --solver fast --timing off -o "$folder/tree.html"
"$vtopo" evaluate --topology cart:64x64 --network torus:16x16x16 --no-simulate --timing off \
  -o "$folder/large.html"
"$vtopo" compare --topology cart:7 --platform platforms/two-rooms.xml --mapper block,random --timing off \
  -o "$folder/irregular.html"
"$vtopo" compare --topology cart:8x16 --network 'dragonfly:9,4;6,3;16,1;4' --hosts block:320,128 \
  --mapper block,random --timing off -o "$folder/part.html"
"$vtopo" compare --topology cart:4x4 --schedule examples/schedule-4x4.json --network torus:4x4 \
  --mapper block,random --timing off -o "$folder/schedule.html"
"$vtopo" simulate --trace examples/ring.goal --network torus:4x4 -o "$folder/trace.html"
"$vtopo" report "$folder/torus.html" --mapper greedy -o "$folder/figures/"
"$vtopo" report "$folder/tree.html" -o "$folder/tree.svg"
pictures=$(cd "$folder" && echo figures/*.svg)
# shellcheck disable=SC2086
node tests/cli/page_test.js "$folder" torus.html tree.html large.html irregular.html part.html schedule.html trace.html tree.svg $pictures

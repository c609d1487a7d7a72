#!/usr/bin/env bash
# A JSON report given as --scenario makes the same report again, byte for byte; the keys of the
# shipped schema are those that the command accepts. Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

same() { # verb and options
  "$vtopo" "$@" --timing off --format json -o "$folder/first.json"
  "$vtopo" "$1" --scenario "$folder/first.json" --timing off --format json -o "$folder/second.json"
  cmp "$folder/first.json" "$folder/second.json"
}

same compare --topology cart:4x4 --bytes 1MiB,64KiB --network torus:4x4 --mapper all --steps 1000 --seed 7
same compare --traffic examples/halo-4x4.csv --per-message --ranks 20 --network 'fat-tree:2;4,8;1,2;1,1' \
  --hosts random:24 --mapper block,exchange:start=random --steps 100 --objective max-congestion,hop-bytes
same compare --topology hypercube:4 --network torus:4x4 --fail-link 'd0+:0->1' --fail-link 'd0-:1->0' \
  --scale-bandwidth 'd1*=0.5' --network-model LV08 --top-links 3
same compare --topology cart:4x4 --network torus:4x4 --routing split --slots 2 --hosts list:0,5,6,7,8,9,10,11
same evaluate --topology cart:4x2 --platform examples/machines/topology.conf --taper 2 --bandwidth 5GBps
same evaluate --topology cart:4x4 --network torus:4x4 --no-simulate --top-links 2
same compare --topology cart:4x4p --network torus:4x4 --bytes 1KiB,2KiB --pattern phased:repeat=3 \
  --pattern allreduce:algorithm=ring,sub=1-0,bytes=8,random:bytes=1KiB --solver fast
same simulate --topology cart:4x4 --network torus:4x4 --schedule examples/schedule-4x4.json

"$vtopo" __schema "$folder/scenario.schema.json"
sed '/"[$]defs"/,$d' "$folder/scenario.schema.json" | grep -oP '^    "\K[a-z-]+(?=": \{)' | sort >"$folder/schema"
echo '{"..............................": 1}' >"$folder/unknown.json"
code=0
"$vtopo" compare --scenario "$folder/unknown.json" 2>"$folder/error" || code=$?
[ "$code" -eq 3 ]
sed 's/.*accepted: //' "$folder/error" | tr -d ' ' | tr , '\n' | sort >"$folder/accepted"
diff "$folder/schema" "$folder/accepted"

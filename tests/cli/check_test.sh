#!/usr/bin/env bash
# vtopo check accepts what the command writes, names a wrong figure with exit code 5, and refuses
# what is not a report with 3. Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
# Large scenarios have all usual mappers in the long form only.
[ -n "${VTOPO_LONG_TESTS:-}" ] && few= || few='--mapper block,greedy'

accepts() { # verb and options
  local option=-o
  [ "$1" = map ] && option=--report
  if ! "$vtopo" "$@" --timing off $option "$folder/result.json" 2>"$folder/error"; then
    echo "failed: $*"
    cat "$folder/error"
    failures=1
  elif ! timeout 600 "$vtopo" check "$folder/result.json" >"$folder/answer" 2>&1; then
    echo "not accepted: $*"
    cat "$folder/answer"
    failures=1
  fi
}

accepts compare --topology cart:6x6x6 --network torus:6x6x6 --mapper block,random,greedy
accepts compare --topology cart:8px8p --network 'fat-tree:2;16,8;1,8;1,1' --slots 4
accepts compare --traffic examples/halo-4x4.csv --network 'dragonfly:9,1;2,1;4,1;2' --hosts random:16
accepts evaluate --topology cart:8x8x8 --network mesh:8x8x8 --mapper greedy --top-links 10
accepts map --topology rgg:16:4:2 --network torus:4x4 --mapper greedy --objective '1e+3*hop-bytes+jmax'
accepts compare --topology graph:examples/ring.graph --platform platforms/two-rooms.xml --slots 2
accepts compare --topology cart:4x4x4p --network torus:4x4x4 --fail-link 'd0+:0->1' --scale-bandwidth 'd2*=0.5'
accepts compare --topology cart:8x9 --network 'dragonfly:9,1;1,1;4,1;2,arrangement=relative' --routing adaptive --ideal
accepts evaluate --topology cart:4x2 --platform examples/machines/topology.conf --taper 2
accepts compare --topology cart:2x4 --platform platforms/two-rooms.xml --hosts first:4 --slots 2
accepts compare --topology cart:4x4 --network torus:8x8 --hosts spaced:16 --background tests/cli/golden/background_heavy.csv
accepts compare --topology rgg:36:8:1 --network mesh:6x6
[ -z "${VTOPO_LONG_TESTS:-}" ] || accepts compare --topology rgg:100:8:1 --network mesh:10x10
accepts compare --topology cart:4 --network 'distances:0,1,2,3;1,0,1,2;2,1,0,1;3,2,1,0'
directed='distances:0,3,1,3,1,5;6,0,4,7,8,6;3,7,0,5,1,3;9,5,1,0,5,2;2,7,8,4,0,2;8,4,9,4,8,0'
accepts compare --topology cart:4x3 --slots 2 --network "$directed" --mapper block,random --sensitivity 20%
"$vtopo" platform generate --network "$directed" --form property -o "$folder/directed.xml" 2>"$folder/error"
accepts compare --topology cart:4x3 --slots 2 --platform "$folder/directed.xml" --mapper block,random --sensitivity 20%
"$vtopo" platform generate --network 'distances:0,1,2,3;1,0,1,2;2,1,0,1;3,2,1,0' --form property -o "$folder/line.xml" 2>"$folder/error"
accepts compare --topology cart:4 --platform "$folder/line.xml"
accepts compare --topology shuffle:1:cart:8x8 --network torus:4x4x4
accepts compare --topology hypercube:6 --network torus:8x8
accepts compare --topology cart:8x8 --network torus:8x8,nics=2,injection=25GBps
accepts compare --topology cart:16x16 --network 'fat-tree:2;16,16;1,4;1,1' --mapper block,random
accepts compare --topology cart:4x4 --network torus:4x4 --network-model LV08 --solver simgrid
accepts simulate --topology cart:4x4 --network torus:4x4 --schedule examples/schedule-4x4.json
accepts compare --topology cart:4x4p --network torus:4x4 --pattern phased:repeat=3
accepts compare --topology cart:8x8 --network hyperx:8x8
accepts evaluate --topology cart:8 --network torus:4 --slots 2 --pattern allgather:algorithm=bruck,bytes=1MiB --loopback-bandwidth 5GBps
accepts compare --topology cart:4x4 --network slim-fly:q=5
accepts compare --topology cart:4x4 --network torus:4x4 --solver simgrid --slots 3
accepts compare --traffic examples/lammps-lj-64 --platform platforms/theta.xml --hosts random:64 $few
# Hosts with two cables, of which SimGrid's route takes one and flows that split take both.
for routing in simgrid ecmp adaptive ideal; do
  accepts evaluate --topology cart:2 --platform tests/netmodels/platform/platforms/dual-homed.xml --routing $routing
done
# A detour may be shorter than the network's own route, and longer than the only path that a flow takes.
accepts evaluate --topology cart:4x4 --network 'dragonfly:5,2;2,1;2,1;2' --routing valiant --mapper random
accepts compare --topology cart:3x5 --network 'dragonfly:5,2;2,1;2,1;2' --routing ideal --slots 2 --bytes 1 --hosts first:16
# Flows by way of a third group take fewer hops than the network's own route: bounds follow from shortest paths.
accepts compare --pattern alltoall:bytes=1KiB --topology cart:6 --network 'dragonfly:5,2;2,1;2,1;2' --routing ideal --hosts random:7 --mapper block,greedy
# A price that rounding would lift above 0.
accepts compare --topology rgg:18:6:79 --network mesh:4x3x2 --hosts random:9:seed=7 --slots 2 --fail-host random:1:seed=2 --mapper block
# Bounds by eigenvalues, on a grid and elsewhere, with several slots.
for network in torus:6x6 'dragonfly:3,1;3,1;2,1;2'; do
  accepts compare --topology cart:6x6 --network "$network" --mapper block,random \
    --pattern random:seed=1,random:seed=2,random:seed=3,random:seed=4
done
accepts compare --topology cart:6x6 --network torus:3x3 --slots 4 --mapper block,random \
  --pattern random:seed=1,random:seed=2,random:seed=3,random:seed=4
# A rank with many partners, several of which share its host: what it exchanges with the others bounds the links of any
# host.
accepts simulate --topology cart:18 --network tree:4:4:4@1:10:100 --slots 2 --fail-link random:1:seed=1 \
  --pattern scatter:algorithm=binomial
accepts simulate --topology cart:44 --network 'dragonfly:3,1;2,1;2,1;2' --slots 3 --routing valiant \
  --pattern gather:algorithm=linear
# Of three groups there is one detour, whose links are listed in no order; and loads of a rule that may split flows
# need not be whole volumes, even if none is split here.
accepts compare --topology rgg:12:4:1 --network 'dragonfly:3,1;2,1;2,1;2' --routing valiant --mapper block,random
accepts compare --topology cart:3x3 --network torus:3x3x3 --routing split --slots 2 --mapper block,random
for routing in positive split ecmp valiant ideal; do
  accepts compare --topology cart:4x4 --network torus:4x4 --routing $routing --top-links 3
done
accepts compare --topology cart:8x8 --network 'fat-tree:2;8,8;1,4;1,1' --routing ecmp
accepts map --topology cart:8x8 --network torus:8x8 -o "$folder/ranks.csv"
accepts evaluate --topology cart:4x4 --network torus:4x4 --slots 2 --loopback-bandwidth 1GBps --no-simulate
accepts compare --topology stencil:8x8:moore --network mesh:8x8 --bytes 3
accepts compare --topology cart:8x8 --network 'tree:4:4:4@1:10:100' --mapper block,random,multisection
# No figure of these is left unverified: bounds by cuts, assignments and hosts, schedules with and without barriers.
# Their evidence is taken as it is where the checker does not know the network or the traffic by its name.
verifies() { # verb and options
  accepts "$@"
  if sed -n 's/.*: not verified: //p' "$folder/answer" | tr ';' '\n' |
    grep -qvE '^ *(version |assumptions|noise|evidence[.]|scenario[.]|rows\[\][.](solver |(top_links\[\][.]kind|phases\[\][.]name)$))'; then
    echo "not all verified: $*"
    cat "$folder/answer"
    failures=1
  fi
}

verifies compare --topology cart:16x16 --network torus:16x16
verifies compare --topology cart:9x7p --network torus:7x9 --hosts random:63
verifies compare --topology shuffle:1:cart:8x8 --network torus:8x8
verifies compare --topology cart:4x4x4 --network 'dragonfly:5,1;2,1;4,1;2' --slots 2
verifies compare --topology rgg:64:6:3 --network 'fat-tree:2;8,8;1,4;1,1' --slots 2
verifies compare --topology cart:2x4 --platform platforms/two-rooms.xml --hosts first:4 --slots 2
verifies compare --topology cart:4x4 --network torus:4x4 --slots 2 --loopback-bandwidth 10GBps \
  --pattern alltoall:algorithm=pairwise
verifies compare --topology cart:8x4 --network 'fat-tree:2;4,8;1,2;1,1' --barriers --pattern barrier \
  --pattern allreduce:algorithm=rabenseifner,bytes=1MiB

# Bounds that hang on which links routes take: their routes are listed for all pairs of up to 64 hosts.
verifies compare --topology rgg:24:6:1 --network mesh:5x5
verifies compare --topology rgg:24:6:1 --network mesh:8x8 --hosts random:30
verifies compare --topology rgg:60:4:5 --network torus:8x8 --hosts first:20 --slots 3
verifies compare --topology hypercube:6 --network torus:8x8
accepts compare --topology rgg:12:4:2 --network torus:3x4
accepts compare --topology rgg:12:4:2 --network 'fat-tree:2;3,2;1,2;1,1' --slots 2
accepts compare --topology rgg:200:6:1 --network 'dragonfly:5,1;2,1;4,1;2' --slots 4 --hosts random:60 $few
accepts compare --topology rgg:1500:6:1 --network 'fat-tree:2;20,10;1,4;1,1' --slots 8 --mapper block --no-simulate

accepts compare --topology cart:16x16x16 --network torus:16x16x16 --mapper block,random --no-simulate
[ -f "$folder/result.evidence.json" ] || { echo "no side file"; failures=1; }

ends() { # exit code, text of the answer, file
  local code=0
  "$vtopo" check "$3" >"$folder/answer" 2>&1 || code=$?
  if [ $code -ne "$1" ] || ! grep -qF -- "$2" "$folder/answer"; then
    echo "expected exit $1 with \"$2\", got $code:"
    cat "$folder/answer"
    failures=1
  fi
}

# The side file is the one that was written.
sed -i 's/"slots":\[1,/"slots":[2,/' "$folder/result.evidence.json"
ends 3 "its SHA-256 is" "$folder/result.json"
rm "$folder/result.evidence.json"
ends 3 "there is no such file" "$folder/result.json"
"$vtopo" compare --topology cart:4x4 --network torus:4x4 --mapper block,random -o "$folder/result.json"
sed 's/"hop_bytes": 50331648.0/"hop_bytes": 50331649.0/' "$folder/result.json" >"$folder/wrong.json"
ends 5 "wrong: row 0 (block): hop_bytes is" "$folder/wrong.json"
sed 's/"hop_bytes_bound_kind": ".*"/"hop_bytes_bound_kind": "by another argument"/' \
  "$folder/result.json" >"$folder/argument.json"
ends 0 'hop_bytes_bound by argument "by another argument"' "$folder/argument.json"
# All that is not recomputed of a grid on a torus; without a measured time also less.
"$vtopo" check "$folder/result.json" >"$folder/answer"
open='assumptions (of the machine'"'"'s file); evidence.rows[].embedding[] (what a mapper finds, where others are as good); '
open+='noise (of the machine'"'"'s file); rows[].mapping_seconds (measured); '
open+='rows[].simulation_seconds (measured); rows[].solver (which of two gave the time); version (of the command that '
open+='wrote the report)'
grep -qF "not verified: $open" "$folder/answer" && [ "$(sed -n 's/.*not verified: //p' "$folder/answer")" = "$open" ] ||
  { echo "other leaves are not verified:"; cat "$folder/answer"; failures=1; }
lies() { # text of the answer, what sed does, report
  sed "$2" "$3" >"$folder/lie.json"
  cmp -s "$3" "$folder/lie.json" && { echo "nothing changed by $2"; failures=1; }
  ends 5 "wrong: $1" "$folder/lie.json"
}
lies 'verdict is "' 's/"verdict": ".*"/"verdict": "block is not the best of these 2 mappers"/' "$folder/result.json"
lies 'rows[0].jsum is null' 's/"jsum": [0-9]*/"jsum": null/' "$folder/result.json"
lies 'rows[0].top_links is null' 's/"top_links": \[\]/"top_links": null/' "$folder/result.json"
lies 'rows[0].jmax is missing' '0,/"jmax": [0-9]*,/s///' "$folder/result.json"
lies 'there are two members "jmax"' 's/"jmax": \([0-9]*\)/"jmax": \1, "jmax": \1/' "$folder/result.json"
lies 'scenario.topology: edge 0 is' 's/"cart:4x4"/"cart:2x8"/' "$folder/result.json"
lies 'scenario.network: link 6 is' 's/"torus:4x4"/"mesh:4x4"/' "$folder/result.json"
lies 'scenario.routing is ecmp' 's/\(    "routing": \)"[a-z]*",$/\1"ecmp",/;ta;b;:a;n;ba' "$folder/result.json"
lies 'row 0 (block): seed is 2' '0,/"seed": "1"/s//"seed": "2"/' "$folder/result.json"
lies 'scenario.bandwidth' 's/"10GBps"/"12GBps"/' "$folder/result.json"
sed 's/"best": {/"new_figure": [7], "best": { "more": 1,/' "$folder/result.json" >"$folder/more.json"
ends 0 'best.more; ' "$folder/more.json"
ends 0 'new_figure[]; ' "$folder/more.json"
"$vtopo" compare --topology cart:3x3p --network torus:3x4 --mapper block,random --ideal --sensitivity 20% \
  -o "$folder/varied.json" 2>"$folder/error"
ends 0 'verified: ' "$folder/varied.json"
lies 'row 1 (random): ideal_congestion is' \
  's/"ideal_congestion": \([0-9.e-]*\)/"ideal_congestion": 0.1/2;/"mapper": "random"/,$s/\("ideal_congestion"\): [0-9.e-]*/\1: 0.01/' \
  "$folder/varied.json"
lies 'sensitivity: sentence is "block beats random' 's/block beats random/random beats block/' "$folder/varied.json"
lies 'sensitivity: bandwidth of dimension 0 -20 %: rival_wins' '0,/"rival_wins": false/s//"rival_wins": true/' \
  "$folder/varied.json"
"$vtopo" compare --topology cart:4x4 --network torus:4x4 --format json >"$folder/stdout.json" 2>"$folder/error"
ends 3 "has no evidence" "$folder/stdout.json"
echo '{"rows": [' >"$folder/torn.json"
ends 3 "not JSON" "$folder/torn.json"
echo '{"rows": [], "evidence": {}}' >"$folder/empty.json"
ends 3 "empty.json: not a report with all of its evidence: key 'link_kinds' not found" "$folder/empty.json"
sed 's,vtopo/compare/v1,vtopo/compare/v9,' "$folder/result.json" >"$folder/later.json"
ends 3 'schema "vtopo/compare/v9": accepted are "vtopo/compare/v1" and' "$folder/later.json"
for version in null '""' 3; do
  sed "s,\"version\": \"[^\"]*\",\"version\": $version," "$folder/result.json" >"$folder/version.json"
  ends 3 "version $version: expected the version of the command" "$folder/version.json"
done
{
  printf '{"rows": [{"hop_bytes": '
  head -c 100000 /dev/zero | tr '\0' '['
  head -c 100000 /dev/zero | tr '\0' ']'
  printf '}], "evidence": {}}'
} >"$folder/deep.json"
ends 3 "lists within lists" "$folder/deep.json"
mkfifo "$folder/pipe"
ends 3 "expected a regular file" "$folder/pipe"
"$vtopo" map --topology cart:4x4 --network torus:4x4 -o "$folder/ranks.json" >"$folder/out" 2>&1
ends 0 "each rank is on a slot of its own" "$folder/ranks.json"
sed '0,/"host_id": 1,/s//"host_id": 0,/' "$folder/ranks.json" >"$folder/twice.json"
ends 5 "is taken" "$folder/twice.json"
for number in 0.5 1e308 '"0"'; do
  sed "0,/\"slot\": 0/s//\"slot\": $number/" "$folder/ranks.json" >"$folder/broken.json"
  ends 3 "expected a whole number" "$folder/broken.json"
done
exit $failures

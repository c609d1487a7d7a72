#!/usr/bin/env bash
# Names and sizes that would overwrite an input, run in a spreadsheet, hang the command or flood its
# messages. Arguments: the command.
set -uo pipefail
vtopo=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
failures=0

expect() { # exit code, pattern of the sentence, words of the command
  local expected=$1 pattern=$2 code=0
  shift 2
  timeout 60 "$vtopo" "$@" >out 2>err || code=$?
  [ "$code" = "$expected" ] && cat out err | grep -q -e "$pattern" && return
  echo "vtopo ${*:1:6}: exit code $code instead of $expected, or no \"$pattern\" in:"
  head -c 500 out err
  failures=$((failures + 1))
}
job=(--topology cart:4p --network torus:4)

# An output that is an input, under any of its names, stays as it was.
printf 'src,dst,bytes\n0,1,8\n' | tee before.csv >in.csv
ln -s in.csv other.csv
expect 2 'is an input' evaluate --traffic in.csv --network torus:4 -o in.csv
expect 2 'is an input' evaluate --traffic in.csv --network torus:4 -o other.csv
expect 2 'is an input' evaluate --traffic in.csv --network torus:4 --rank-times ./in.csv
expect 2 'is an input' convert in.csv in.csv
expect 2 'is an input' map --traffic in.csv --network torus:4 -o other.csv --no-simulate
expect 2 'is an input' allocate --ranks 2 --traffic in.csv --network torus:4 -o in.csv
cp "$source/platforms/two-rooms.xml" drawn.svg
expect 2 'is an input' platform draw drawn.svg -o drawn.svg
echo '{"base": {"network": "torus:2", "topology": "cart:2"}, "axes": {"mapper": ["block"]}}' >plan.json
expect 2 'is an input' sweep plan.json -o plan.json
expect 2 'unknown extension ".pdf"; accepted: .jsonl for lines' sweep plan.json -o x.pdf
expect 2 'unknown extension ".txt"; accepted: .jsonl for lines' sweep merge x.jsonl -o x.txt
printf '{"schema":"vtopo/sweep/v1","key":"a"}\n{"schema":"vtopo/sweep/v1","key":"b"}\n' >lines.jsonl
expect 3 'lines of a sweep, which have no evidence' check lines.jsonl

# A tag that no message can have.
printf '0 init\n1 init\n0 send 1 2147483648 6\n1 recv 0 2147483648 6\n0 finalize\n1 finalize\n' >tags.tit
expect 3 'tags.tit:3:.*rank 0: tag 2147483648; accepted are 0 to 2147483647' \
  simulate --trace tags.tit --trace-format smpi --network torus:2

# A recorded program without collectives takes no choice of theirs that there is not, and no ranks.
printf 'num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n' >pair.goal
sed 's/recv 8b/recv 7b/' pair.goal >small.goal
expect 3 'small.goal:6: rank 1 has room for 7 bytes of the message of 8 bytes that rank 0 sends in line 3; expected a receive of 8b' \
  simulate --trace small.goal --network torus:2
expect 2 'library "other"; accepted: openmpi' simulate --trace pair.goal --network torus:2 --library other
expect 2 'library "other"; accepted: openmpi' convert pair.goal copy.goal --library other
expect 2 'has the ranks that "pair.goal" names' convert pair.goal copy.goal --ranks 9
expect 2 '.json and .html, or - for stdout' simulate --trace pair.goal --network torus:2 -o x.svg
expect 2 '.json and .html, or - for stdout' sweep report lines.jsonl -o x.pdf
cmp -s before.csv in.csv || { echo "the input was overwritten"; failures=$((failures + 1)); }

# Links that lead nowhere, pipes without a writer and files of blanks are bad input at once.
ln -s loop_a loop_b
ln -s loop_b loop_a
expect 3 loop_a platform describe loop_a
expect 3 loop_a evaluate --traffic loop_a --network torus:4
mkfifo pipe
expect 3 'regular file' sweep merge pipe -o merged.jsonl
truncate -s 3G sparse
expect 3 'accepted are up to 2147483647' sweep merge sparse -o merged.jsonl

# A folder that is named as an input stays inside the folder that was asked for.
mkdir in
echo '{"topology": "cart:4", "network": "torus:4", "mapper": "block"}' | tee in/a.json >in/...json
expect 2 'needs a name' report in/...json in/a.json -o out_folder/

# Blanks, which SimGrid reads slowly, and networks that fill the memory.
"$vtopo" platform generate --network mesh:2x2 >plain.xml 2>/dev/null
{ sed '$d' plain.xml; head -c 20000000 /dev/zero | tr '\0' ' '; tail -n 1 plain.xml; } >blanks.xml
expect 0 '4 hosts\|hosts *4' platform describe --platform blanks.xml --simgrid-compatible
expect 2 'accepts up to 16777216' platform describe --network torus:1000000000

# Many keys are read once each, and the first wrong one is named.
{ printf '{"topology": "cart:4"'; seq -f ', "k%.0f": 1' 200000 | tr -d '\n'; echo '}'; } >keys.json
expect 3 'k1"' evaluate --scenario keys.json

# A script of Slurm has the lines that vtopo writes.
echo '{"base": {"topology": "cart:4", "network": "torus:4"}, "axes": {"seed": [1, 2]}}' >plan.json
expect 2 'batch-option with a line end' sweep plan.json -o x.jsonl --engine slurm --dry-run \
  --sbatch $'--time=1\nrm x'

# Another sweep holds the lock of its file.
: >held.jsonl
if command -v python3 >/dev/null; then
  mkfifo never  # nobody writes into it
  python3 -c 'import fcntl, struct, sys, time
f = open("held.jsonl", "r+")
fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
print("held", flush=True)
sys.stdin.read()' <>never >state &
  holder=$!
  until [ -s state ]; do kill -0 $holder && sleep 0.1; done
  expect 2 'another sweep writes "held.jsonl"' sweep plan.json -o held.jsonl --resume
  kill "$holder"
fi

# Messages: what is accepted is accepted, and long words are cut.
expect 4 'allocate more hosts' evaluate --topology cart:134217728 --network torus:2
grep -q 'raise --slots' err && { cat err; failures=$((failures + 1)); }
expect 0 vtopo -v
long=$(printf 'x%.0s' $(seq 5000))
cut() { # option of the long value that is quoted with its length, exit code, words of the command
  local option=$1 expected=$2
  shift 2
  expect "$expected" 'characters)' evaluate "$@" "$option" "$long"
  [ "$(wc -c <err)" -lt 1500 ] || { echo "$option is echoed whole"; failures=$((failures + 1)); }
}
cut --mapper 2 "${job[@]}"
cut --bandwidth 2 "${job[@]}"
cut --topology 2 --network torus:4
cut --traffic 3 --network torus:4
grep -q ' (5000 characters): cannot be read' err || { cat err; failures=$((failures + 1)); }
expect 2 '--every-set' allocate --ranks 2 --network torus:4 --every-set --max-sets 5

# Messages name the option and what it accepts.
for bandwidth in 0 inf; do
  expect 2 "bandwidth \"$bandwidth\" is out of range; accepted: 0.001 to 1e30 bytes per second$" \
    evaluate "${job[@]}" --bandwidth "$bandwidth"
done
expect 2 '--run-limit "-1s": accepted is a time > 0' evaluate "${job[@]}" --run-limit -1s
expect 2 '--run-limit "x": accepted is a time > 0' evaluate "${job[@]}" --run-limit x
expect 2 '--memory-limit "x": accepted is a size' evaluate "${job[@]}" --memory-limit x
expect 2 '--latency: time "x"' evaluate "${job[@]}" --latency x
expect 2 '--bytes: volume "x"' evaluate "${job[@]}" --bytes x
expect 2 '--time-limit: time "x"' bench --time-limit x
expect 2 '--unit: volume "x"' convert --unit x in.csv out.csv
expect 2 '--fail-if: time "x"' evaluate "${job[@]}" --fail-if 'makespan>x'
expect 2 'unknown option "-inf"' dims 72 -inf
expect 2 '--shard "nan"' sweep plan.json -o x.jsonl --shard nan
expect 2 '--shards' sweep plan.json -o x.jsonl --engine slurm --shards nan
expect 2 '--critical-path: "-1" is not a whole number' simulate --trace "$source/examples/ring.goal" \
  --network torus:4x4 --critical-path -1
# What is not a list of topologies gets the message of the one that it is.
expect 2 '"tp" twice in' compare --topology parallel:tp=8,tp=4:allreduce:1MiB --network torus:8x8
expect 2 'is a list: vtopo compare takes several' compare --topology cart:4x4,cart:2x2 --network torus:4x4
# A row of a study that failed is not the best of its group.
expect 2 '^nonsense  ' compare --topology cart:4x4 --network torus:4x4 --network nonsense --mapper block
exit "$((failures > 0))"

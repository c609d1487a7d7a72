#!/usr/bin/env bash
# Default `vtopo map` at job size, two builds compared: first_answer.sh VTOPO OLD_VTOPO [PATTERN]
# Twenty jobs of 32,768 ranks on 512 nodes, those whose line matches PATTERN: predicted time of
# the placement that is written, and processor time of the whole command. OLD_VTOPO may also be
# the output of an earlier run of this script, from which its values are taken.
set -euo pipefail
new=$1 old=$2 pattern=${3:-.}
cd "$(dirname "$0")/../.."
jobs=(
  'leonardo cart:32x32x32'
  'frontier cart:32x32x32'
  'lumi cart:32x32x32'
  'leonardo cart:256x128'
  'lumi cart:128x16x16'
  'frontier cart:16x16x16x8'
  'frontier cart:64x32x16 --bytes 4MiB,1MiB,64KiB'
  'leonardo cart:32px32px32p --bytes 64KiB'
  'leonardo stencil:256x128:moore'
  'frontier stencil:32x32x32:moore'
  'frontier shuffle:1:cart:64x32x16'
  'leonardo rgg:32768:8:1'
  'frontier rgg:32768:8:2'
  'lumi rgg:32768:8:3'
  'mare-nostrum-5-acc rgg:32768:16:4'
  'frontier hypercube:15'
  'leonardo parallel:tp=8,dp=256,pp=16 --bytes 4MiB'
  'leonardo cart:32768 --pattern allreduce:algorithm=ring,bytes=64MiB'
  'frontier cart:32768 --pattern allreduce:algorithm=recursive_doubling,bytes=1MiB'
  'frontier cart:128x256 --pattern allgather:algorithm=ring,sub=1-0,bytes=64KiB'
)
# Prints `predicted seconds, processor seconds` of a map.
run() {
  local vtopo=$1 machine=$2 report
  shift 2
  report=$(mktemp --suffix=.csv)
  TIMEFORMAT='%U %S'
  local used
  used=$({ time "$vtopo" map --topology "$@" --platform "platforms/$machine.xml" --hosts first:512 \
    --slots 64 --report "$report" >/dev/null 2>"$report.log"; } 2>&1) || { cat "$report.log" >&2; }
  python3 - "$report" $used <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
# The order given is kept unless the other is better.
best = min(float(row["makespan"] or row["max_congestion"]) for row in rows)
print(best, sum(map(float, sys.argv[2:])))
PY
  rm -f "$report" "$report.log"
}
printf '%-80s %10s %10s %8s %7s %7s\n' job 'old ms' 'new ms' new/old 'old s' 'new s'
for job in "${jobs[@]}"; do
  [[ $job =~ $pattern ]] || continue
  if [[ -x $old ]]; then
    before=$(run "$old" $job)
  else
    before=$(awk -v job="$job" 'index($0, job "  ") == 1 {
      print $(NF - 3) / 1000, $NF }' "$old")
  fi
  echo "$before $(run "$new" $job)" | awk -v job="$job" '{
    printf "%-80s %10.4f %10.4f %8.3f %7.1f %7.1f\n", job, $1 * 1000, $3 * 1000, $3 / $1, $2, $4 }'
done

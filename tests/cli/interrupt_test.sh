#!/usr/bin/env bash
# Ctrl-C gives what is known so far within two seconds: of a search, and of several scenarios.
# Argument: the command.
set -euo pipefail
vtopo=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Begins a command in the background.
begin() {
  "$vtopo" "$@" >"$work/out" 2>"$work/talk" &
  job=$! process=$!
}
# Processor time in hundredths of a second: of a process with its ended children, and of all that this script waited for.
processor_time() { awk '{ used = $14 + $15 + $16 + $17 } END { print used + 0 }' "/proc/$1/stat" 2>/dev/null || echo 0; }
of_ended_jobs() { # in $ended, as a subshell has other children
  times >"$work/times"
  ended=$(awk -F '[ms ]+' 'NR == 2 { print int(100 * (60 * ($1 + $3) + $2 + $4)) }' "$work/times")
}
# Waits until the job, or what it started, has computed for a second: it is in the middle of what never ends by itself.
computes() {
  local child
  until (($(processor_time "$process") >= 100)); do
    kill -0 "$job" || { cat "$work/talk" && exit 1; }
    sleep 0.1
    process=$job
    while child=$(pgrep -P "$process"); do process=${child%%$'\n'*}; done
  done
}
# Interrupts it; the exit code is in `code`, how long it computed after that in `late`. The machine may be busy with
# other things, so this is processor time.
interrupt() {
  of_ended_jobs
  late=$((ended + $(processor_time "$process")))
  kill -INT "$job"
  code=0
  wait "$job" || code=$?
  of_ended_jobs
  late=$((ended - late))
}
# Two seconds are promised, on all cores.
ends_soon() {
  ((late < 200 * $(nproc))) || { echo "$late hundredths of a second after Ctrl-C: $*" && exit 1; }
}

begin map --topology rgg:2048:8:1 --network torus:16x16x8 --mapper portfolio --time-limit 300s --no-simulate \
  --output "$work/ranks.csv" --report "$work/report.txt"
computes
interrupt
ends_soon the search of a portfolio
[ "$code" = 0 ]
grep -q 'interrupted: portfolio gives the best so far' "$work/talk" "$work/report.txt"
[ "$(grep -c . "$work/ranks.csv")" -ge 2048 ]

# Of several scenarios no other is begun. The mapper is never done by itself.
begin compare --topology 8x8x8 --topology 16x8x4 --network torus:8x8x8 --mapper block,annealing --time-limit 300s \
  --no-simulate
computes
interrupt
ends_soon several scenarios
[ "$code" = 0 ]
grep -q 'interrupted: 1 of 2 scenarios have rows' "$work/talk"

# Of a bench the instances that are whole are written.
begin bench --instances q9-torus --mapper annealing --seeds 1 --time-limit 60s --format csv
computes
interrupt
ends_soon a bench
[ "$code" = 130 ] # none was whole
grep -q 'interrupted: 0 of' "$work/talk"

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
  job=$!
}
catches_interrupts() {
  local mask
  mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$job/status")
  ((0x$mask & 2))
}
# Interrupts it; the exit code is in `code`, how long it went on in `late` (milliseconds).
interrupt() {
  local begin
  begin=$(date +%s%N)
  kill -INT "$job"
  code=0
  wait "$job" || code=$?
  late=$((($(date +%s%N) - begin) / 1000000))
}
# Two seconds are promised, half a second of them for what is written; that takes longer on a busy machine.
ends_soon() {
  local busy
  busy=$(awk -v cores="$(nproc)" '{ print int(500 * $1 / cores) }' /proc/loadavg)
  ((late < 2000 + busy)) || { echo "$late ms after Ctrl-C: $*" && exit 1; }
}

begin map --topology rgg:2048:8:1 --network torus:16x16x8 --mapper portfolio --time-limit 300s --no-simulate \
  --output "$work/ranks.csv" --report "$work/report.txt"
until catches_interrupts; do sleep 0.1; done
sleep 0.5
interrupt
ends_soon the search of a portfolio
[ "$code" = 0 ]
grep -q 'interrupted: portfolio gives the best so far' "$work/talk" "$work/report.txt"
[ "$(grep -c . "$work/ranks.csv")" -ge 2048 ]

# Of several scenarios no other is begun. The mapper is never done by itself.
begin compare --topology 8x8x8 --topology 16x8x4 --network torus:8x8x8 --mapper block,annealing --time-limit 300s \
  --no-simulate
until pgrep -P "$job" >/dev/null; do sleep 0.1; done
sleep 2
interrupt
ends_soon several scenarios
[ "$code" = 0 ]
grep -q 'interrupted: 1 of 2 scenarios have rows' "$work/talk"

# Of a bench the instances that are whole are written.
begin bench --instances q9-torus --mapper annealing --seeds 1 --time-limit 60s --format csv
until catches_interrupts; do sleep 0.1; done
sleep 2
interrupt
ends_soon a bench
[ "$code" = 130 ] # none was whole
grep -q 'interrupted: 0 of' "$work/talk"

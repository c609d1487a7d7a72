#!/usr/bin/env bash
# Ctrl-C while a portfolio runs: the command writes the best embedding so far and says so.
# Argument: the command.
set -euo pipefail
vtopo=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$vtopo" map --topology rgg:2048:8:1 --network torus:16x16x8 --mapper portfolio --time-limit 300s --no-simulate \
  --output "$work/ranks.csv" --report "$work/report.txt" 2>"$work/talk" &
job=$!
catches_interrupts() {
  local mask
  mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$job/status")
  ((0x$mask & 2))
}
until catches_interrupts; do sleep 0.1; done
sleep 0.5
kill -INT "$job"
wait "$job"
grep -q 'interrupted: portfolio gives the best so far' "$work/talk" "$work/report.txt"
[ "$(grep -c . "$work/ranks.csv")" -ge 2048 ]

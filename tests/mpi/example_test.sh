#!/usr/bin/env bash
# Runs a program of examples/mpi by its run.sh, on hosts in several orders: the result is the expected one, in
# the old order of ranks and reordered, and reordering does not make the communication slower.
# Arguments: the overlay library; vtopo; the program; the network, with | for its semicolons; seeds of the shuffles, 0 for none.
# Status 77 (skipped) if SMPI's compiler or launcher is not installed.
set -euo pipefail
export OVERLAY=$1 VTOPO=$2
program=$3 network=${4//|/;}
shift 4
examples=$(cd "$(dirname "$0")/../../examples/mpi" && pwd)
hosts=$("$VTOPO" platform generate --network "$network" 2>/dev/null | sed -n 's/.*: \([0-9]*\) hosts,.*/\1/p' | head -n 1)
output=$(mktemp)
trap 'rm -f "$output"' EXIT
for seed in "$@"; do
  SEED=$seed timeout --foreground 300 "$examples/run.sh" "$program" "$network" >"$output" 2>&1 || {
    status=$?
    cat "$output"
    exit "$status"
  }
  head -n 1 "$output" | diff "$examples/expected/$program-$hosts.txt" - || exit 1
  sed "s/^/seed $seed: /" "$output"
  # One line of result, then the times: two different results would be more.
  awk 'END { exit !(NR == 2 && $NF > 0 && $3 > 0 && $6 <= 1.01 * $3) }' "$output" || {
    echo "not one result, or the communication is slower when reordered"
    exit 1
  }
done

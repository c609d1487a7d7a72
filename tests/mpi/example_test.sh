#!/usr/bin/env bash
# Runs a program of examples/mpi by its run.sh on networks, its hosts shuffled: the result is the expected one, in the
# old order of ranks and reordered, and reordering does not make the communication slower. On the first network, and
# on all of up to 16 hosts if VTOPO_LONG_TESTS is set, also on hosts in their order.
# Arguments: the overlay library; vtopo; the program; the networks, with | for their semicolons.
# Status 77 (skipped) if SMPI's compiler or launcher is not installed.
set -euo pipefail
export OVERLAY=$1 VTOPO=$2
program=$3
shift 3
examples=$(cd "$(dirname "$0")/../../examples/mpi" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export COMPILED=$work/program

run() { # network, number of its hosts, seed of the shuffle, 0 for none
  SEED=$3 timeout --foreground 300 "$examples/run.sh" "$program" "$1" >"$work/output" 2>&1 || {
    status=$?
    cat "$work/output"
    exit "$status"
  }
  head -n 1 "$work/output" | diff "$examples/expected/$program-$2.txt" - || exit 1
  sed "s/^/$1, seed $3: /" "$work/output"
  # One line of result, then the times: two different results would be more.
  awk 'END { exit !(NR == 2 && $NF > 0 && $3 > 0 && $6 <= 1.01 * $3) }' "$work/output" || {
    echo "not one result, or the communication is slower when reordered"
    exit 1
  }
}

first=${1//|/;}
for network in "${@//|/;}"; do
  hosts=$("$VTOPO" platform generate --network "$network" 2>/dev/null | sed -n 's/.*: \([0-9]*\) hosts,.*/\1/p' | head -n 1)
  run "$network" "$hosts" 1
  if [ "$network" = "$first" ] || { [ -n "${VTOPO_LONG_TESTS:-}" ] && [ "$hosts" -le 16 ]; }; then
    run "$network" "$hosts" 0
  fi
done

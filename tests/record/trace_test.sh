#!/usr/bin/env bash
# Records traces of a program under an MPI library and lets vtopo replay them. Arguments: mpich or
# openmpi, the command vtopo. Status 77 (skipped) if the library is not installed.
set -euo pipefail
library=$1 vtopo=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library"
launch+=(-np 4)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile=("mpicc.$library" -std=gnu11 -O1 -Wall -Wextra -Werror)
recorder=$work/libvtopo_record.so
"${compile[@]}" -shared -fPIC "$folder"/../../sim/record/*.c -o "$recorder" -lpthread
# MPICH declares statuses as arrays, MPI_STATUSES_IGNORE is none.
"${compile[@]}" -Wno-stringop-overflow "$folder/known_calls.c" -o "$work/known_calls"

run() { # FOLDER ARGUMENT...
  local traces=$1
  shift
  timeout --foreground 200 "${launch[@]}" env "LD_PRELOAD=$recorder" "VTOPO_RECORD_TRACE=$traces" \
    "VTOPO_RECORD_FLUSH=${flush-}" "$work/known_calls" "$@" </dev/null >"$work/output" 2>&1
}
replay() { "$vtopo" simulate --trace "$@" --network torus:4 --compute-scale 0 --format csv; }

# Nothing but the trace is written, and every message has both ends. By hand: 4 ranks send 50 + 4 +
# 100 messages each; the other 103 are of collectives by Open MPI's algorithms and of neighbours.
run "$work/traces"
# 100 starts of persistent requests and 50 exchanges, as loops.
[ "$(wc -l <"$work/traces/rank-0.trace")" -lt 110 ]
[ ! -e vtopo-record.csv ]
replay "$work/traces" | cut -d, -f1-5 >"$work/replayed"
diff -u "$folder/trace_test.expected" "$work/replayed"

# The same if the buffer is written after every call.
flush=1e-9 run "$work/flushed"
replay "$work/flushed" | cut -d, -f1-5 | diff -u "$folder/trace_test.expected" -

# A time between writes that is none is reported, and the trace is written once a second.
flush=often run "$work/often"
grep -qx 'vtopo_record: VTOPO_RECORD_FLUSH=often: accepted are seconds above 0; it is 1' "$work/output"
replay "$work/often" | cut -d, -f1-5 | diff -u "$folder/trace_test.expected" -

# A program that is killed leaves what it has done, and vtopo says where it ends.
if flush=1e-9 run "$work/killed" abort; then
  echo "the program was to abort"
  exit 1
fi
grep -q '^barrier' "$work/killed/rank-1.trace"
if replay "$work/killed" >/dev/null 2>"$work/error"; then
  echo "a cut trace was replayed"
  exit 1
fi
grep -q 'the trace of rank 0 is cut off after line' "$work/error"
# What all ranks have reached is replayed if that is asked for.
replay "$work/killed" --prefix >"$work/prefix" 2>"$work/error"
grep -q 'replayed is what all ranks have reached' "$work/error"

# One-sided communication is not traced: the trace says so, and rank 0 at the end.
"${compile[@]}" "$folder/one_sided.c" -o "$work/known_calls"
run "$work/one_sided"
grep -qx 'vtopo_record: one-sided communication of the program is not recorded' "$work/output"
if replay "$work/one_sided" >/dev/null 2>"$work/error"; then
  echo "a trace without its one-sided messages was replayed"
  exit 1
fi
grep -q 'the program used one-sided communication' "$work/error"

# Nor is MPI_Isendrecv, which libraries have that are of MPI-4.
if "mpicc.$library" -E -dM "$folder/isendrecv.c" | grep 'define MPI_VERSION 4' >/dev/null; then
  "${compile[@]}" "$folder/isendrecv.c" -o "$work/known_calls"
  run "$work/isendrecv"
  if replay "$work/isendrecv" >/dev/null 2>"$work/error"; then
    echo "a trace without the messages of MPI_Isendrecv was replayed"
    exit 1
  fi
  grep -q 'the program used MPI_Isendrecv, which cannot be replayed' "$work/error"
fi

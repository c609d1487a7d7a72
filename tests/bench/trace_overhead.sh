#!/usr/bin/env bash
# What recording a trace costs a halo exchange of 4 messages a step between real processes in shared
# memory: fastest of several runs without and with the recorder, in turns. Wants an idle machine.
# Arguments: mpich or openmpi; bytes of a message (default 8192); runs (default 15).
set -euo pipefail
library=$1 bytes=${2:-8192} runs=${3:-15}
folder=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library"
launch+=(-np 2)
"mpicc.$library" -O2 -w "$folder/trace_overhead.c" -o "$work/halo"
"mpicc.$library" -O2 -shared -fPIC "$folder"/../../sim/record/*.c -o "$work/recorder.so" -lpthread
for ((i = 0; i < runs; ++i)); do
  "${launch[@]}" "$work/halo" "$bytes" >>"$work/plain"
  "${launch[@]}" env "LD_PRELOAD=$work/recorder.so" "VTOPO_RECORD_TRACE=$work/trace" \
    "$work/halo" "$bytes" >>"$work/traced"
done
paste <(sort -g "$work/plain") <(sort -g "$work/traced") | head -n 1 |
  awk -v bytes="$bytes" '{ printf "%s bytes: %.3f us a step, traced %.3f us: %+.1f %%\n", bytes, $1, $2,
                           100 * ($2 / $1 - 1) }'

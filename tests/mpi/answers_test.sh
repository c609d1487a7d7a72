#!/usr/bin/env bash
# Makes the random calls of tests/conformance under the overlay and compares every answer with that
# of topology/. No difference is accepted.
# Arguments: the overlay library, the program vtopo_answers.
set -euo pipefail
overlay=$1 vtopo_answers=$2 processes=12
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=platform.sh
. "$folder/platform.sh"
make_work_folder
smpicc -O1 -o "$work/mpi_answers" "$folder/../conformance/mpi_answers.c" \
  -Wl,--no-as-needed "$overlay" "-Wl,-rpath,$(dirname "$overlay")"
"$vtopo_answers" "$processes" 12 1 "$work/script" "$work/vtopo"
write_torus 4,3 12 "$work/torus.xml"
seq -f 'host-%.0f' 0 11 >"$work/hosts"
export VTOPO_NETWORK=torus:4x3 VTOPO_REORDER=0  # a map that reorders answers otherwise
simulate "$processes" "$work/torus.xml" "$work/hosts" "$work/mpi_answers" "$work/script" >"$work/library"
awk -v library=overlay -f "$folder/../conformance/compare_answers.awk" \
  "$folder/../conformance/known_deviations.txt" "$work/script" "$work/vtopo" "$work/library"

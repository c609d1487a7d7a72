#!/usr/bin/env bash
# Makes the same random calls with vtopo and with an MPI library and compares every answer.
# Arguments: mpich or openmpi, the program vtopo_answers; optional: number of rounds, seed.
# Status 77 (skipped) if the library is not installed.
set -euo pipefail
library=$1 vtopo_answers=$2 rounds=${3:-12} seed=${4:-1}
processes=12
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library" mpiexec
launch+=(-n "$processes")
# MPICH's processes poll for each other: on few cores they do not end within minutes.
if [ "$library" = mpich ] && [ "$(nproc)" -lt "$processes" ]; then
  skip "$processes processes of MPICH need as many cores, here are $(nproc)"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"mpicc.$library" -O1 -Wall -Wextra -Werror -o "$work/mpi_answers" "$folder/mpi_answers.c"
"$vtopo_answers" "$processes" "$rounds" "$seed" "$work/script" "$work/vtopo"
timeout --foreground 200 "${launch[@]}" "$work/mpi_answers" "$work/script" </dev/null >"$work/library" || {
  echo "$library ended with status $?"
  exit 1
}
awk -v library="$library" -f "$folder/compare_answers.awk" "$folder/known_deviations.txt" \
  "$work/script" "$work/vtopo" "$work/library"

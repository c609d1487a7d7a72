#!/usr/bin/env bash
# Prints the body of performance.md, measured in one run; with --update writes that file. Takes about four
# minutes. Arguments: the build folder (default build/release, where the target performance is built); [--update].
# MPI libraries whose mpicc.mpich or mpicc.openmpi is there are measured beside.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
build=build/release update=no
for argument; do
  case $argument in
    --update) update=yes ;;
    *) build=$argument ;;
  esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

options=()
measure_library() { # human-readable name, suffix of Debian's commands, options of mpirun...
  command -v "mpicc.$2" "mpirun.$2" >/dev/null || return 0
  local name=$1 library=$2
  shift 2
  if "mpicc.$library" -O2 -o "$work/$library" "$folder/mpi_inquiries.c" 2>"$work/$library.err" &&
    timeout 120 "mpirun.$library" "$@" -n 8 "$work/$library" >"$work/$library.txt" 2>"$work/$library.err"; then
    options+=(--mpi "$name=$work/$library.txt")
  else
    echo "$name does not run mpi_inquiries.c:" >&2
    tail -n 3 "$work/$library.err" >&2 || true
  fi
}
version_of() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null | sed 's/-.*//' || true; }

cmake --build "$build" --target performance >&2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
measure_library "MPICH $(version_of mpich)" mpich
measure_library "Open MPI $(version_of openmpi-bin)" openmpi --oversubscribe
"$build/bin/performance" "${options[@]}" >"$work/section.md"

if [[ $update == no ]]; then
  cat "$work/section.md"
  exit
fi
{ printf '# Performance\n\nWritten by `tests/bench/performance.sh --update`.\n\n' && cat "$work/section.md"; } >"$folder/performance.md.new"
mv "$folder/performance.md.new" "$folder/performance.md"

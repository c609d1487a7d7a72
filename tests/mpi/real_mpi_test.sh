#!/usr/bin/env bash
# Reordering under a real MPI library, its processes on fake hosts. Arguments: mpich or openmpi, the
# library to preload, number of random graphs if VTOPO_LONG_TESTS is set, else two. Status 77 (skipped) if the MPI library is not installed.
set -euo pipefail
library=$1 preload=$2
[ -n "${VTOPO_LONG_TESTS:-}" ] && graphs=$3 || graphs=2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../support/mpi_library.sh
. "$folder/../support/mpi_library.sh"
launch_with "$library"
# The runtime of asan must come first; memory that the MPI library leaves is its own.
preload=$(ldd "$(dirname "$preload")/libvtopo_reorder.so" | awk '/lib(asan|ubsan)/ { printf "%s:", $3 }')$preload
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
processes=8
unset "${!VTOPO_@}"

# run PROGRAM [VARIABLE=VALUE]... -- ARGUMENTS: its output is in $work/output
run() {
  local program=$1 variables=()
  shift
  while [ "$1" != -- ]; do variables+=("$1") && shift; done
  shift
  timeout --foreground 300 "${launch[@]}" -np "$processes" env "LD_PRELOAD=$preload" "VTOPO_REPORT=$work/report" \
    "${variables[@]}" "$work/$program" "$@" </dev/null >"$work/output" 2>&1
}
# succeeds NAME ...: the same, no check failed
succeeds() {
  local name=$1
  shift
  rm -f "$work/report"
  run "$@" && grep -Eq '(^|[ ,])0 failed$' "$work/output" && return
  echo "$name:"
  tail -n 30 "$work/output"
  exit 1
}
expect() { # COUNT REGEX FILE
  local count
  count=$(grep -Ec "$2" "$3" || true)
  [ "$count" = "$1" ] && return
  echo "expected $1 lines with $2, found $count:"
  tail -n 30 "$3"
  exit 1
}

mpi=(-O1 "-I$folder" -w)
"mpicc.$library" "${mpi[@]}" -o "$work/many_graphs" "$folder/many_graphs.c"
processes=4
succeeds "many graphs" many_graphs --
processes=8
"mpicc.$library" "${mpi[@]}" -o "$work/reordered" "$folder/reordered.c"
torus=(VTOPO_NETWORK=torus:4x2 VTOPO_HOST_OF_RANK=0,5,2,7,4,1,6,3)
succeeds "fake hosts" reordered "${torus[@]}" -- "$graphs" moves
# A line per constructor: the 5 grids and 4 for each graph.
expect $((5 + 4 * graphs)) '"schema":"vtopo/constructor/v1"' "$work/report"
# A line per constructor on request; nothing else of a machine that is known.
succeeds "verbose" reordered "${torus[@]}" VTOPO_VERBOSE=1 -- 1 moves
expect "$(wc -l <"$work/report")" '^vtopo: [a-z_]+ of [0-9]+ processes: (order kept: no other order is better|reordered by .*)$' "$work/output"
expect "$(wc -l <"$work/report")" '^vtopo: ' "$work/output"
"mpicc.$library" "${mpi[@]}" -o "$work/nested" "$folder/nested.c"
succeeds "constructors on reordered communicators" nested "${torus[@]}" --
succeeds "nodes alone" reordered VTOPO_HOST_OF_RANK=0,1,0,1,0,1,0,1 -- 2 moves
succeeds "ranks as hosts" reordered VTOPO_NETWORK=mesh:8 -- 2 moves
succeeds "no machine" reordered -- 2 stays
expect 1 '^vtopo: there is no machine ' "$work/output"
expect 0 '"kept_because":null' "$work/report"
succeeds "switched off" reordered "${torus[@]}" VTOPO_REORDER=0 -- 2 stays
succeeds "no gain is enough" reordered "${torus[@]}" VTOPO_MIN_GAIN=100% -- 2 stays

# A shuffled halo as graph, distributed graph and grid.
"mpicc.$library" "${mpi[@]}" -o "$work/graph_reorder" "$folder/graph_reorder.c"
processes=16
rm -f "$work/report"
run graph_reorder VTOPO_NETWORK=torus:4x2x2 VTOPO_HOST_OF_RANK=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --
expect 1 '^GRAPH-REORDER OK' "$work/output"
for call in graph_create dist_graph_create_adjacent cart_create; do
  expect 1 "\"call\":\"$call\".*\"kept_because\":null" "$work/report"
done

# Wrong settings: one sentence, the order is kept, the program runs on. Two processes start quickly.
processes=2
for setting in VTOPO_NETWORK=torus:4y2 VTOPO_NETWORK=mesh:1 VTOPO_HOST_OF_RANK=0 VTOPO_MIN_GAIN=much \
  VTOPO_PLATFORM=/nowhere.xml VTOPO_REORDER_LIBRARY=/nowhere.so VTOPO_MAPPER=greddy; do
  network=VTOPO_SEED=1
  case $setting in VTOPO_MIN* | VTOPO_MAPPER*) network=VTOPO_NETWORK=mesh:8 ;; esac
  succeeds "$setting" reordered "$network" "$setting" -- 1 stays
  expect 1 '^vtopo: .*the order of ranks is kept$' "$work/output"
  if run reordered "$network" "$setting" VTOPO_STRICT=1 -- 1; then
    echo "$setting VTOPO_STRICT=1 ended well"
    exit 1
  fi
  expect 1 '^vtopo: .*VTOPO_STRICT=1' "$work/output"
done

# The inside of a node: each process on a core of its own, or on either of two.
if command -v taskset >/dev/null && taskset -c 0,1 true 2>/dev/null && [ "$(nproc)" -gt 1 ]; then
  core() { echo "<object type=\"Core\"><object type=\"PU\" os_index=\"$1\"/></object>"; }
  echo "<topology><object type=\"Machine\">$(core 1)$(core 0)</object></topology>" >"$work/node.xml"
  inside=(env "LD_PRELOAD=$preload" "VTOPO_REPORT=$work/report" "VTOPO_NETWORK=mesh:1,node=$work/node.xml")
  # shellcheck disable=SC2016
  echo 'cpus=("$1" "$2") && shift 2 && exec taskset -c "${cpus[${OMPI_COMM_WORLD_RANK:-$PMI_RANK}]}" "$@"' >"$work/bind"
  bound() { # CPUS CPUS: `reordered`, each process on these
    rm -f "$work/report"
    timeout --foreground 300 "${launch[@]}" -np 2 "${inside[@]}" bash "$work/bind" "$1" "$2" "$work/reordered" 1 stays \
      </dev/null >"$work/output" 2>&1
  }
  bound 0 1
  grep -Eq '"hop_bytes_before":[1-9]' "$work/report"
  expect 0 '^vtopo: ' "$work/output"
  bound 0 0,1
  expect 1 'vtopo: rank 1 on node .* may run on processors 0 to 1, .* several places' "$work/output"
fi

processes=8
if command -v gfortran >/dev/null && command -v "mpifort.$library" >/dev/null; then
  for binding in mpi f08; do
    define=()
    [ $binding = f08 ] && define=(-DF08)
    "mpifort.$library" -w "${define[@]}" -o "$work/fortran_$binding" "$folder/reordered.F90"
    succeeds "Fortran, $binding" "fortran_$binding" "${torus[@]}" --
    expect 1 '^1 moved' "$work/output"
    expect 4 '"kept_because":null' "$work/report"
  done
fi
echo "$(tail -n 1 "$work/output")"

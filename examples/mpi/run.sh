#!/usr/bin/env bash
# Runs an MPI program on a simulated network, one process per host in shuffled order: once in the order of
# the hosts and once with ranks reordered by the constructors of topologies. Prints the program's result and
# both simulated times of its communication.
#
#   examples/mpi/run.sh PROGRAM NETWORK [program's arguments...]
#   examples/mpi/run.sh poisson torus:4x4
#   SEED=7 RANKS=8 examples/mpi/run.sh ./mine.c 'fat-tree:2;4,4;1,2;1,2' 100
#
# PROGRAM is one of this folder, or a source file that prints a line `communication <seconds> s` when
# EXAMPLE_TIME is set. Environment: RANKS (default: all hosts); SEED of the shuffle (default 1; 0: hosts in
# their order); COMPILED, where the compiled program is kept for the next run; VTOPO and OVERLAY, the programs and the
# library (default: of build/release); and what sim/mpi/README.md lists.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2; }
folder=$(cd "$(dirname "$0")" && pwd)
root=$folder/../..
program=$1 network=$2
shift 2
vtopo=${VTOPO:-$root/build/release/bin/vtopo}
overlay=$(realpath "${OVERLAY:-$root/build/release/lib/libvtopo_smpi.so}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source=$program
for suffix in c cpp f90; do
  [ -f "$source" ] || source=$folder/$program.$suffix
done
[ -f "$source" ] || {
  echo "program $program: accepted are a source file and $(cd "$folder" && ls -- *.c *.cpp *.f90 | sed 's/[.].*//' | sort | xargs)" >&2
  exit 2
}
case $source in
  *.f90) compiler=smpif90 ;;
  *.cpp) compiler=smpicxx ;;
  *) compiler=smpicc ;;
esac
for tool in smpirun "$compiler"; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 77; }
done
compiled=${COMPILED:-$work/program}
[ -x "$compiled" ] || SMPI_NO_UNDEFINED_CHECK=1 "$compiler" -O2 -I"$root/sim/mpi" -o "$compiled" "$source" -lm

# Generated platforms have no way from a host to itself, which messages of a process to itself take.
"$vtopo" platform generate --network "$network" -o "$work/plain.xml" 2>/dev/null ||
  "$vtopo" platform generate --network "$network" >/dev/null
awk '
  /<cluster / { sub(/\/>/, ""); print; getline; sub(/\/>/, " loopback_bw=\"100GBps\" loopback_lat=\"10ns\"/>") }
  /<host id="/ {
    match($0, /id="[^"]*"/)
    name = substr($0, RSTART + 4, RLENGTH - 5)
    self = self "    <link id=\"" name "->" name "\" bandwidth=\"100GBps\" latency=\"10ns\"/>\n"
    routes = routes "    <route src=\"" name "\" dst=\"" name "\" symmetrical=\"NO\"><link_ctn id=\"" name "->" name "\"/></route>\n"
  }
  (/<route / || /<\/zone>/) && self != "" { printf "%s%s", self, routes; self = routes = "" }
  { print }' "$work/plain.xml" >"$work/platform.xml"

hosts=$(sed -n 's/.*: \([0-9]*\) hosts,.*/\1/p' "$work/plain.xml" | head -n 1)
awk -v n="$hosts" -v seed="${SEED:-1}" 'BEGIN {
  x = seed
  for (i = 0; i < n; ++i) place[i] = i
  for (i = n - 1; i > 0 && seed > 0; --i) {
    x = (x * 16807) % 2147483647
    j = x % (i + 1); t = place[i]; place[i] = place[j]; place[j] = t
  }
  for (i = 0; i < n; ++i) print "host-" place[i]
}' >"$work/hosts"

run() { # reorder or not; the program's arguments
  local reorder=$1
  shift
  VTOPO_NETWORK=$network VTOPO_REORDER=$reorder EXAMPLE_TIME=1 \
    smpirun -np "${RANKS:-$hosts}" -platform "$work/platform.xml" -hostfile "$work/hosts" \
    --log=root.thres:error --cfg=smpi/simulate-computation:no \
    -wrapper "env LD_PRELOAD=$overlay" "$compiled" "$@" </dev/null >"$work/output" || {
    cat "$work/output"
    exit 1
  }
  grep -v '^communication' "$work/output" >"$work/result$reorder" || true
  seconds=$(awk '$1 == "communication" { print $2 }' "$work/output")
}
run 0 "$@"
old=$seconds
run 1 "$@"
cat "$work/result1"
cmp -s "$work/result0" "$work/result1" || { echo "in the old order:"; cat "$work/result0"; }
awk -v old="$old" -v new="$seconds" 'BEGIN {
  printf "old order %.6g s, reordered %.6g s, ratio %.2f\n", old, new, (new > 0 ? old / new : 1)
}'

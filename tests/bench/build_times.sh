#!/usr/bin/env bash
# build_times.sh FOLDER: how long a build takes, in processor time (user + system), which does not depend on what
# else the machine does. Builds the preset release from nothing in FOLDER, without a compiler cache: the command and
# the MPI overlay; one changed mapper; the tests. Then the sources that took longest.
set -euo pipefail
self=$(readlink -f "$0")
TIMEFORMAT='%U %S'

# As the compiler's launcher: the seconds of a source go to a file.
if [ "${1:-}" = --launch ]; then
  log=$2
  shift 2
  for ((i = 1; i < $#; ++i)); do
    next=$((i + 1))
    [ "${!i}" != -o ] || output=${!next}
  done
  { time "$@" 2>&3; } 3>&2 2> >(read -r seconds && echo "$seconds ${output:-}" >>"$log")
  exit
fi

[ $# = 1 ] || { sed -n '2,4s/^# //p' "$self" >&2; exit 2; }
mkdir -p "$1"
folder=$(readlink -f "$1")
root=$(readlink -f "$(dirname "$self")/../..")
log=$folder/seconds.log

stage() { # what, targets
  local what=$1 start=$SECONDS seconds
  shift
  seconds=$({ time cmake --build "$folder" --target "$@" >"$folder/build.log" 2>&1; } 2>&1) ||
    { tail -30 "$folder/build.log" >&2; exit 1; }
  awk -v what="$what" -v elapsed=$((SECONDS - start)) \
    '{ printf "| %s | %.0f s | %d s |\n", what, $1 + $2, elapsed }' <<<"$seconds"
}

cmake --preset release -S "$root" -B "$folder" -DCMAKE_CXX_COMPILER_LAUNCHER="$self;--launch;$log" >/dev/null
cmake --build "$folder" --target clean >/dev/null
: >"$log"
echo '| what is built | processor time | elapsed |'
echo '|---|---|---|'
stage '`vtopo` and `libvtopo_smpi.so`, from nothing' vtopo vtopo_smpi
touch "$root/sim/mapping/mappers/greedy.cpp"
stage 'one changed mapper, to a new `vtopo`' vtopo
stage 'all tests' all
echo
echo 'The sources that took longest, in seconds:'
awk '{ printf "%7.1f %s\n", $1 + $2, $3 }' "$log" | sort -rn | sed 20q

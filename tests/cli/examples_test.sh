#!/usr/bin/env bash
# Every example of every --help, and every command of every README, works when it is pasted, each in under
# ten seconds of processor time (VTOPO_EXAMPLE_SECONDS). They run in one folder, in an order in which what one
# reads another has written. Examples that need a compiler of MPI programs, GNU parallel, graphviz, make or man are
# left out where there is none; sbatch is a script that runs the tasks.
# Arguments: vtopo, source folder.
set -uo pipefail
vtopo=$1 source=$2
seconds=${VTOPO_EXAMPLE_SECONDS:-10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/work/build/plugin"
ln -s "$vtopo" "$folder/bin/vtopo"
export PATH=$folder/bin:$PATH COLUMNS=200  # no example is broken
cat >"$folder/bin/sbatch" <<'SCRIPT'
#!/bin/bash
sed -i 's/^exec .* sweep /exec vtopo sweep /' "$1"
for task in 1 2; do SLURM_ARRAY_TASK_ID=$task bash "$1" || exit; done
SCRIPT
chmod +x "$folder/bin/sbatch"

export HOME=$folder
cd "$folder/work"
ln -s "$source/examples" "$source/platforms" .
ln -s examples/measured measured
cp examples/mpi/halo3d.c halo.c
cp examples/mpi/result.h .
cp examples/sweep.json plan.json
cp halo.c program.c
echo '#include <mpi.h>
int main(int argc, char** argv) { return MPI_Init(&argc, &argv) != MPI_SUCCESS || MPI_Finalize() != MPI_SUCCESS; }' >program.cpp
printf 'program main\n  include "mpif.h"\n  integer error\n  call MPI_Init(error)\n  call MPI_Finalize(error)\nend program\n' >program.f90
printf 'all:\n\t$(or $(MPICC),$(MPICXX),$(MPIFC)) --version\n' >Makefile
seq -f host-%g 0 127 >idle.txt
cc -shared -fPIC -I"$source/sim/mapping/plugin" -o build/plugin/heaviest_first.so examples/plugin/heaviest_first.c || exit 1

verbs() {
  local verb
  vtopo __complete "" | cut -f 1 | grep -v '^-' | while read -r verb; do
    echo "$verb"
    case $verb in compile | platform | sweep) vtopo __complete "$verb" "" | cut -f 1 | grep '^[a-z]*$' | sed "s/^/$verb /" ;; esac
  done
}

# Lines under "Examples:", up to the first that is none.
help_examples() { # verb...
  vtopo "$@" --help | awk '/^Examples:/ { inside = 1; next } inside && !/^  [a-z]/ { exit } inside' | sed 's/^  //'
}

# Commands in the blocks of a README that show no output: what "$ " shows is compared by readme_example.sh.
readme_examples() { # file
  awk '/^```/ { inside = !inside && $0 == "```"; next }
       inside && /^(vtopo|parallel) / { line = $0; while (sub(/\\$/, "", line) && getline > 0) line = line $0; print line }' "$1"
}

{
  help_examples compare
  help_examples sweep
  verbs | grep -vx 'compare\|sweep' | while read -r verb; do
    # shellcheck disable=SC2086
    help_examples $verb
  done
  for readme in cli/README.md examples/plugin/README.md README.md; do readme_examples "$source/$readme"; done
} | awk '!seen[$0]++' >../examples

has() { command -v "$1" >/dev/null; }
# Words of an example without which this machine cannot run it.
cannot=('# in fish')
has smpicc && [ -e "$(dirname "$(readlink -f "$vtopo")")/../lib/libvtopo_smpi.so" ] ||
  cannot+=(smpicc ./halo halo.csv ranks.csv 'vtopo compile')
parallel --version 2>/dev/null | grep -q GNU || cannot+=(parallel shard-)
has neato || cannot+=(neato)
has make || cannot+=('make MPI')
has man || cannot+=('| man ')

TIMEFORMAT='%U %S'
count=0 left_out=0 failed=0
while IFS= read -r line; do
  for word in "${cannot[@]}"; do
    if [[ $line == *"$word"* ]]; then
      left_out=$((left_out + 1))
      continue 2
    fi
  done
  count=$((count + 1))
  code=0
  { time bash -o pipefail -c "$line" >../printed 2>&1 </dev/null || code=$?; } 2>../times
  took=$(awk '{ print $1 + $2 }' ../times)
  [ -z "${VTOPO_EXAMPLE_TIMES:-}" ] || echo "$took s: $line"
  # A condition that is met is what --fail-if is for; lint of all platforms may warn.
  case $line in *--fail-if* | *lint*) [ "$code" -ne 5 ] && [ "$code" -ne 3 ] || code=0 ;; esac
  if [ "$code" -ne 0 ] || awk "BEGIN { exit !($took > $seconds) }"; then
    failed=$((failed + 1))
    echo "exit code $code, $took s of processor time: $line"
    tail -n 5 ../printed
  fi
done <../examples
echo "$count examples, $failed failed, $left_out left out"
[ "$count" -ge 60 ] && [ "$failed" -eq 0 ]

# Sourced by the tests of this folder, with the command in $vtopo: a folder of their own, checks, and
# the verbs that write files.

work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work"
mkdir temporary
export TMPDIR=$work/temporary

fail() {
  echo "$*"
  [ ! -s errors ] || tail -n 20 errors
  exit 1
}

# Waits until a background job has become its command. Until then it is this shell once more, and a
# signal would make it run the trap above: the folder would be gone.
wait_for_start() { # process
  while [ "/proc/$1/exe" -ef "/proc/$$/exe" ]; do sleep 0.001; done
}

# Runs a command: the expected exit code, words that stderr has, the command.
expect() {
  local expected=$1 words=$2 code=0
  shift 2
  timeout --foreground 120 "$@" >output 2>errors </dev/null || code=$?
  [ "$code" = "$expected" ] || fail "exit code $code instead of $expected: $*"
  [ -z "$words" ] || grep -qF -- "$words" errors || fail "no \"$words\" on stderr: $*"
  nothing_left "$*"
}

# No temporary file, beside outputs or in the folder for such files.
nothing_left() {
  [ -z "$(find "$work" -name '.vtopo-*')" ] || fail "left after $1: $(find "$work" -name '.vtopo-*')"
  [ -z "$(ls -A "$TMPDIR")" ] || fail "left after $1: $(ls -A "$TMPDIR")"
}

# Verbs by name, with what follows but the output; equal runs give equal bytes. mpirun and record are
# there once `compile_halo` has succeeded.
declare -A verb=(
  [map.csv]="map --topology cart:16x16x8 --network torus:16x16x8 --mapper greedy --no-simulate --threads 1"
  [evaluate.json]="evaluate --topology cart:8x8x8 --network torus:8x8x8 --mapper random --solver fast --timing off"
  [simulate.json]="evaluate --topology cart:4x4x4 --network torus:4x4x4 --mapper random --timing off"
  [generate.xml]="platform generate --network mesh:12x12"
  [bench.csv]="bench --instances q6-torus,q9-torus --mapper block,greedy --timing off"
)

compile_halo() { # folder of the sources
  [ -e "$VTOPO_SMPI_LIBRARY" ] && command -v smpicc >/dev/null && command -v smpirun >/dev/null || return 1
  smpicc -O1 -o halo "$1/../mpi/halo.c"
  verb[mpirun.json]="mpirun -np 8 --network torus:4x2 --mapper exchange --timing off"
  verb[record.csv]="record -np 8 --network torus:4x2"
}

# What is behind the output: a program.
program_of() {
  case $1 in mpirun* | record*) echo ./halo 2 ;; esac
}

# The format that the extension of an output would name.
format_of() {
  case $1 in
    map.csv) echo --embedding-format csv ;;
    *.json) echo --format json ;;
    bench.csv) echo --format csv ;;
  esac
}

#!/usr/bin/env bash
# What people type first works, or is answered by a sentence of the command's own with what to type instead.
# Arguments: the command, the source folder.
set -uo pipefail
vtopo=$(realpath "$1") source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ln -s "$source/examples" "$source/platforms" .
cc -shared -fPIC -I"$source/sim/mapping/plugin" -o mine.so examples/plugin/heaviest_first.c || exit 1
export COLUMNS=80
failures=0

# run CODE WORDS... : the exit code is this; what is printed is in `out`, what is said in `err`.
run() {
  local expected=$1 code
  shift
  "$vtopo" "$@" >out 2>err </dev/null
  code=$?
  last="vtopo $*"
  [ "$code" = "$expected" ] || fail "exit code $code instead of $expected"
  # No sentence of the parser's library reaches a user.
  ! grep -qE 'required but received|is required|Could not convert|not in range|A subcommand|The following argument|requires --|excludes --' err ||
    fail "a sentence of the parser"
}
fail() {
  echo "$last: $1"
  sed 's/^/  /' err | head -n 5
  failures=$((failures + 1))
}
said() { grep -qF -- "$1" err || fail "does not say: $1"; }
printed() { grep -qF -- "$1" out || fail "does not print: $1"; }
same_as() { # words...: what was printed last is what these words print
  "$vtopo" "$@" >other 2>/dev/null </dev/null
  cmp -s out other || fail "differs from vtopo $*"
}
json=(--format json --timing off --no-simulate)

# Verbs by other names, and patterns where the application should be.
for words in 'run mpirun' 'optimize map' 'predict simulate' 'version --version' 'show platform describe' 'lint platform lint'; do
  run 2 ${words%% *} 8x8 torus:8x8
  said "did you mean \"vtopo ${words#* }\"?"
done
run 2 simulate allreduce torus:8
said '--pattern allreduce'
run 0 simulate 8x1 torus:8 --pattern allreduce "${json[@]:0:4}"

# Plain arguments.
run 0 compare 4x4 torus:4x4 "${json[@]}"
same_as compare --topology cart:4x4 --network torus:4x4 "${json[@]}"
run 0 compare cart:4x4 platforms/two-rooms.xml --slots 8 "${json[@]}"
same_as compare --topology cart:4x4 --platform platforms/two-rooms.xml --slots 8 "${json[@]}"
run 0 evaluate 4px4p torus:4x4 "${json[@]}"
same_as evaluate --topology cart:4px4p --network torus:4x4 "${json[@]}"
run 0 map examples/halo-4x4.csv torus:4x4 "${json[@]}" --steps 100
same_as map --traffic examples/halo-4x4.csv --network torus:4x4 "${json[@]}" --steps 100
run 0 compare examples/lammps-lj-64 torus:4x4x4 --mapper block,greedy "${json[@]}"
same_as compare --traffic examples/lammps-lj-64 --network torus:4x4x4 --mapper block,greedy "${json[@]}"
run 0 simulate examples/ring.goal torus:4x4 --format json --timing off
same_as simulate --trace examples/ring.goal --network torus:4x4 --format json --timing off
run 0 evaluate torus:4x4 --topology 4x4 "${json[@]}" # what is missing is the application
run 0 evaluate 4x2 examples/machines/topology.conf "${json[@]}"
printf '0,1\n1,0\n' >4x4 # an existing file wins over a word
run 0 evaluate 4x4 torus:4x4 --traffic-format dense "${json[@]}"
same_as evaluate --traffic 4x4 --network torus:4x4 --traffic-format dense "${json[@]}"
rm 4x4
run 0 evaluate 32x32x32 lumi --no-simulate # a machine by its name takes the ranks that the job has
run 0 evaluate cart:32x32x32 platforms/frontera.xml --no-simulate
run 0 evaluate 4x4 --platform two-rooms --slots 8 "${json[@]}"
run 3 evaluate 4x4 lumy
said "did you mean"
run 0 dims 64 3 --slots 4 --platform teaching-torus-4x4
run 0 evaluate 4x4 torus:4x8 --nodes 16 "${json[@]}"
same_as evaluate 4x4 torus:4x8 --hosts 16 "${json[@]}"
same_as evaluate 4x4 torus:4x8 --hosts first:16 "${json[@]}"
run 0 evaluate 4x4 torus:2x2 --ranks-per-node 4 "${json[@]}"
same_as evaluate 4x4 torus:2x2 --slots 4 "${json[@]}"

# A number of ranks: every balanced grid.
run 0 compare 64 torus:4x4x4 --mapper block --no-simulate --format csv
# Cuts through a cube: 3 + 3 + 3, 7 + 3 + 1, 7 + 7 + 0; the third is more than half as large again.
for grid in cart:4x4x4 cart:8x4x2; do printed "$grid,"; done
said "64 ranks on a domain of 1448x1448x1448 elements of 8B (a cubic part has faces of 1MiB): cart:4x4x4 or 8x4x2"
# Several numbers of ranks: each of their grids is a case, not a draw of one.
run 0 compare 8 16 mesh:4x4 --mapper block --no-simulate --format csv
for grid in 2x2x2 4x2x1 4x2x2 4x4x1; do printed "cart:$grid"; done
[ "$(wc -l <out)" = 5 ] || fail "not a row for each of four grids"
run 0 compare 64 torus:4x4x4 --domain 1024x64x64 --mapper block --no-simulate --format csv
printed cart:64x1x1
! grep -q cart:8x8x1 out || fail "a grid that is not balanced"
run 0 evaluate --topology cart:auto --ranks 64 --network torus:4x4x4 "${json[@]}"
said cart:4x4x4
run 2 evaluate --topology cart:auto --network torus:4x4x4
said "--ranks"
run 0 map --ranks 64 --network torus:4x4x4 --steps 100 "${json[@]}"
said "64 ranks exchange with their neighbours on a grid: --topology cart:4x4x4"
run 0 allocate 8 torus:4x4 --max-sets 50
same_as allocate --ranks 8 --network torus:4x4 --max-sets 50

# Numbers as people say them.
run 0 compare 4x4 torus:4x4 --fail-link 5 --mapper block,greedy
printed "5 links failed"
run 0 compare 4x4 torus:4x4 --mapper block --embedding examples/halo-4x4-ranks.csv --format csv
[ "$(wc -l <out)" = 3 ] || fail "does not print two rows"
run 2 compare 0 torus:4x4
said "accepted are numbers from 1"
run 2 compare 4x4 torus:4x4 --fail-link 500
said "accepted are the name of a link, and 1 to"
run 0 evaluate 4x4 torus:4x4 --scale-bandwidth 0.5 "${json[@]}"
"$vtopo" evaluate 4x4 torus:4x4 "${json[@]}" >whole 2>/dev/null
for file in whole out; do grep -m 1 '"max_congestion":' $file | tr -d ' ,' | cut -d: -f2; done | xargs |
  awk '{ exit !($1 > 0 && $2 == 2 * $1) }' || fail "half the bandwidth is not twice the congestion"
run 0 evaluate 4x4 torus:8x8 --hosts first:16 --background alltoall:hosts=random:32,bytes=1MiB
printed "992 flows of other jobs" # 32 x 31
run 0 evaluate 4x4 torus:8x8 --hosts first:16 --background alltoall
printed "2256 flows of other jobs" # of the 48 hosts that the job does not have: 48 x 47
run 2 evaluate 4x4 torus:8x8 --hosts first:16 --background alltoall:hosts=random:49
said "accepted are 1 to 48"
run 0 evaluate parallel:tp=4,dp=4 torus:4x4 --pattern allreduce:algorithm=ring,sub=dp

# A time limit that the job needs only a part of: everything is simulated.
run 0 map 32x32x32 frontier --hosts 512 --slots 64 --time-limit 10s --format csv
! grep -q "too short" err || fail "10 s are said to be too short"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "makespan") column = i } NR > 1 && !$column { exit 1 }' out ||
  fail "a row without a simulated time"

# Wrong words.
run 2 compare --hosts a --hosts b
run 2 evaluate 4x4 torus:4x4 --hosts a --hosts b
said '--hosts is given 2 times, "a" and "b"'
run 2 compare 4x4 torus:4x4 --bytes
said "--bytes: a value is missing"
run 2 compare 4x4 torus:4x4 --maper greedy
said 'did you mean "--mapper"?'
run 2 compare 4x4
said "the machine is missing"
run 2 compare
said "the application is missing"
run 2 compare 4y4 torus:4x4
said 'application "4y4": neither a file nor a topology'
run 2 evaluate 4x4 torus:4x4 3x3 --slots 2
run 2 compare 4x4 tours:4x4
said 'did you mean "torus"?'
run 2 compare 4x4 torus:8x8 --background alltoal:hosts=2
said 'did you mean "alltoall"?'
run 4 evaluate 8x8 torus:4x4
run 0 evaluate 8x8 platforms/two-rooms.xml --no-simulate
said "64 ranks on 7 nodes: up to 10 on each"
run 2 compare 4x4 torus:4x4 --seed one
said 'is not a whole number'
run 2 comprae 4x4 torus:4x4
said 'did you mean "compare"?'
run 2 lint platforms/theta.xml
said 'did you mean "vtopo platform lint"?'
run 2 platform
said "for example: vtopo platform describe torus:8x8x8"
run 2 platform describ
said 'did you mean "describe"?'
run 2 topology
said "for example: vtopo topology 4px4p"
run 2 dims 32768
said "usage: vtopo dims RANKS DIMENSIONS"
run 0 dims 64 3 --slots 4 --network torus:4x4
run 2 mpirun ./program
said "--np is missing"
run 2 compare 4x4 torus:4x4 --top-links
run 2 compare 4x4 torus:4x4 --traffic examples/halo-4x4.csv
said "exclude each other"
run 0 compare 4x4 torus:4x4 --plugin ./mine.so
printed heaviest_first

# What is taken for granted is said.
run 0 evaluate parallel:tp=4,dp=4:allreduce:64MiB torus:4x4 "${json[@]}"
said 'no volume of axis tp: 1MiB each'
run 0 evaluate parallel:tp=2,dp=4,pp=2 torus:4x4 "${json[@]}"
said 'no volume of axes tp, dp, pp: 1MiB each'
run 0 evaluate parallel:tp=4,dp=4 torus:4x4 --bytes 2MiB "${json[@]}"
[ ! -s err ] || fail "says something of volumes that are given"
run 0 evaluate 4x4 torus:4x4 --ranks-per-node 4 "${json[@]}"
said 'the job has all 16 hosts; 16 ranks, 4 on each, fit on 4: --nodes 4 leaves the others out'
run 0 evaluate 4x4 torus:4x4 --ranks-per-node 4 --nodes 4 "${json[@]}"
[ ! -s err ] || fail "says something of nodes that are given"

# What is wrong is said before anything runs.
run 2 compare 4x4 torus:4x8 --nodes 16 --mapper block --with background=alltoal:bytes=1MiB
said '--background alltoal:bytes=1MiB: neither a file nor a pattern; did you mean "alltoall"?'
[ ! -s out ] || fail "prints a table"
printf '0 1\n1 0\n' >matrix.txt
run 2 evaluate matrix.txt torus:2
said 'rows of numbers, as there, are --traffic-format dense'

# Help fits the terminal, and is short.
for words in topology compare map simulate allocate; do
  run 0 $words --help
  for form in 8px8p hypercube:12 stencil:8x8:moore graph:FILE dist:FILE rgg:RANKS parallel:tp=8 shuffle:SEED; do
    printed "$form"
  done
done
run 2
for words in compare map allocate simulate machines topology platform convert mpirun record compile sweep bench help; do
  grep -qE "^  $words +" out || fail "does not list $words"
done
[ "$(sed -n '/^Place/,$p' out | grep -cE '^  [a-z]+ ')" -le 14 ] || fail "lists more than 14 verbs"
[ "$(grep -c '^  vtopo' out)" = 5 ] || fail "does not have five examples"
run 0 help compare
same_as compare --help
run 0 help compare --all
same_as compare --help-all
run 0 help --all
for words in evaluate report check validate calibrate dims mappers networks completion man; do
  grep -qE "^  $words " out || fail "does not list $words"
done
verbs=$("$vtopo" help --all | sed -nE 's/^  ([a-z]+( [a-z]+)?)( .*|$)/\1/p')
[ "$(wc -l <<<"$verbs")" -ge 25 ] || fail "verbs are not read"
while IFS= read -r words; do
  for width in 80 60; do
    # shellcheck disable=SC2086  # a verb and its subcommand
    COLUMNS=$width run 0 $words --help
    awk -v w=$width 'length > w && !/vtopo|make|parallel|[\\{]/ && $0 !~ /[^ ]{40}/ { exit 1 }' out || fail "lines of more than $width columns"
    [ "$(sed -n '/^Options:/,/^All options/p' out | grep -cE '^  -')" -le 20 ] || fail "more than 20 options"
  done
done <<<"$verbs"
[ "$("$vtopo" compare --help | wc -l)" -le 80 ] || fail "help of compare is long"
exit $((failures > 0))

#!/usr/bin/env bash
# Equal input gives equal bytes: the commands below print and write the same under 1, 2 and 8 threads, in
# another language and time zone, and, with a second command, as built otherwise (other compiler,
# other optimisation). Each command runs under 1 thread and, in turn, under 2 or 8; under all three if VTOPO_LONG_TESTS
# is set. Arguments: the command, the source folder, [another build of the command].
set -uo pipefail
vtopo=$1
other=${3:-}
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$' && foreign=de_DE.UTF-8 || foreign=C.UTF-8

commands=()
timed() { commands+=("$* --timing off --threads THREADS"); }
plain() { commands+=("$*"); }

all=--mapper\ all\ --steps\ 2000\ --seed\ 3
timed compare --topology cart:4x4x4 --network torus:4x4x4 "$all" --format json
timed compare --topology cart:8x8 --network "'fat-tree:2;8,8;1,4;1,1'" "$all" --format csv
timed compare --topology cart:6x6 --network "'dragonfly:3,1;2,1;2,1;3'" "$all"
timed compare --topology rgg:60:6:1 --network mesh:8x8 --steps 2000 --format json
timed compare --topology shuffle:1:cart:6x6 --network hyperx:6x6 --steps 2000 --format csv
timed compare --topology stencil:8x8:moore --network torus:8x8 --steps 500 --format json
timed compare --topology hypercube:6 --network torus:4x4x4 --steps 500
timed compare --topology cart:5x7 --network torus:5x7 --bytes 3 --steps 500 --format json
timed compare --topology cart:4x4 --network slim-fly:q=5 --steps 500 --format json
timed compare --topology cart:8x8 --network "'dragonfly-plus:5;4,4;4'" --hosts spaced:64 --steps 500
timed compare --traffic examples/lammps-lj-64 --platform platforms/theta.xml --hosts random:64 --steps 500
timed compare --traffic examples/halo-4x4.csv --network torus:4x4 --format json --steps 500
timed compare --topology graph:examples/ring.graph --platform platforms/two-rooms.xml --slots 2 --steps 500
for routing in positive split; do
  timed compare --topology cart:4x4 --network torus:4x4 --routing $routing --steps 500 --format json
done
for routing in ecmp valiant adaptive ideal; do
  timed compare --topology cart:4x8 --network "'dragonfly:4,1;2,1;2,1;2'" --routing $routing --steps 500 --format json
done
timed evaluate --topology cart:64x64 --network torus:16x16x16 --mapper random --format json
timed evaluate --topology cart:128x128 --network torus:32x32 --slots 16 --mapper random --no-simulate --format json
timed evaluate --topology cart:8x8 --network torus:8x8 --top-links 10
timed evaluate --topology cart:8x8 --network torus:8x8 --ideal --format json
timed evaluate --topology cart:4x4 --network torus:4x4 --network-model LV08 --format json
timed simulate --topology cart:4x4p --network torus:4x4 --pattern phased:repeat=3 --format json
timed simulate --topology cart:8x8 --network torus:8x8 --pattern allreduce:algorithm=ring,bytes=8
timed simulate --topology cart:4x4 --network torus:4x4 --schedule examples/schedule-4x4.json --format csv
timed simulate --trace examples/ring.goal --network torus:4x4 --critical-path 5
timed compare --topology cart:4x4 --network torus:4x4 --background tests/cli/golden/background_heavy.csv --format json
timed compare --topology cart:8x8 --network torus:8x8 --mapper block,greedy --sensitivity 20% --format json
timed compare --topology cart:4x4 --network torus:4x4 -o OUT/page.html --steps 500
timed compare --topology cart:4x4 --network torus:4x4 -o OUT/result.json --steps 500
timed compare --topology cart:12x12x12 --network torus:12x12x12 --mapper block,random -o OUT/large.json
timed map --topology cart:8x8 --network torus:8x8 --steps 500 -o OUT/ranks.json --report OUT/report.csv
plain dims 72 2 --format json
plain mappers --format json
plain networks --format csv
plain platform describe --network "'fat-tree:3;4,4,4;1,2,2;1,1,1'" --effective-bisection --format json
plain platform generate --network torus:4x4x4 -o OUT/torus.xml
plain convert examples/halo-4x4.csv OUT/halo.grf
plain topology cart:4px4p --coords 5 --shift 0,1 --neighbors 5 --format json

run() { # binary, threads, language, time zone, command: everything that it prints and writes
  local out="$folder/out"
  rm -rf "$out"
  mkdir "$out"
  local words=${5//THREADS/$2}
  (
    export LC_ALL=$3 TZ=$4 OMP_NUM_THREADS=$2
    eval "\"$1\" ${words//OUT/$out}"
  ) >"$out/.stdout" 2>"$out/.stderr"
  echo "exit code $?"
  for file in "$out"/.std* "$out"/*; do
    [ -f "$file" ] || continue
    echo "--- ${file##*/}"
    # On a busy machine any run may take long enough to say how far it is.
    sed 's/"version": "[^"]*"/"version": "VERSION"/; /^vtopo: .*: [0-9]* %\(, about [0-9]* [a-z]* left\)\{0,1\}$/d' "$file"
  done
}

differ() { # what, command
  echo "$1: $2"
  diff "$folder/first" "$folder/second" | cut -c1-160 | head -5
  failures=$((failures + 1))
}

failures=0 turn=0
for command in "${commands[@]}"; do
  turn=$((turn + 1))
  run "$vtopo" 1 C UTC "$command" >"$folder/first"
  if ! grep -qx 'exit code 0' "$folder/first"; then
    echo "failed: $command"
    head -n 5 "$folder/first"
    failures=$((failures + 1))
  fi
  if [ -n "$other" ]; then
    run "$other" 1 C UTC "$command" >"$folder/second"
    cmp -s "$folder/first" "$folder/second" || differ "the other build" "$command"
    continue
  fi
  if [ -n "${VTOPO_LONG_TESTS:-}" ] || [ $((turn % 2)) = 0 ]; then
    run "$vtopo" 2 "$foreign" Asia/Tokyo "$command" >"$folder/second"
    cmp -s "$folder/first" "$folder/second" || differ "2 threads, $foreign, Asia/Tokyo" "$command"
  fi
  if [ -n "${VTOPO_LONG_TESTS:-}" ] || [ $((turn % 2)) = 1 ]; then
    run "$vtopo" 8 C America/St_Johns "$command" >"$folder/second"
    cmp -s "$folder/first" "$folder/second" || differ "8 threads, America/St_Johns" "$command"
  fi
done
echo "${#commands[@]} commands, $failures with differences"
[ "$failures" -eq 0 ]

#!/usr/bin/env bash
# Kills verbs at random moments and in the middle of writing a file: afterwards the output is the old
# file or the new one, whole, and nothing else is left.
# Arguments: the command, the overlay library; optional: kills of each verb, seed.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
count=${3:-1}
RANDOM=${4:-1}
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common.sh
. "$folder/common.sh"
compile_halo "$folder" || echo "without mpirun and record: there is no smpicc or no overlay"
signals=(INT TERM HUP KILL)
set -m  # else the shell makes its background jobs ignore SIGINT

# The code with which the job ended, told to be killed by a signal: 0 if it was faster.
check_end() { # verb, signal, exit code
  local number
  number=$(kill -l "$2")
  [ "$3" = 0 ] || [ "$3" = $((128 + number)) ] || fail "exit code $3 of $1 after SIG$2"
  if [ "$3" = 0 ]; then
    cmp "new.$1" "$1" || fail "$1 is not the new file, although its verb succeeded"
  else
    cmp -s old "$1" || cmp -s "new.$1" "$1" || fail "$1 is neither old nor new after SIG$2"
  fi
}

clean_after_kill() {
  find "$work" -name '.vtopo-*' -delete
  rm -rf "${TMPDIR:?}"/*
}

kill_at_random() { # verb, signal, milliseconds that the verb takes
  local pid code=0 delay=$((RANDOM % ($3 + $3 / 8 + 1)))
  cp old "$1"
  # shellcheck disable=SC2046,SC2086
  "$vtopo" ${verb[$1]} -o "$1" $(program_of "$1") >/dev/null 2>errors </dev/null &
  pid=$!
  wait_for_start $pid
  sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
  kill -"$2" $pid 2>/dev/null || true
  wait $pid 2>/dev/null || code=$?
  check_end "$1" "$2" "$code"
  if [ "$2" = KILL ]; then clean_after_kill; else nothing_left "SIG$2 to $1 at $delay ms"; fi
}

echo "the old file" >old
for name in "${!verb[@]}"; do
  start=$(date +%s%N)
  # shellcheck disable=SC2046,SC2086
  "$vtopo" ${verb[$name]} -o "$name" $(program_of "$name") >/dev/null 2>errors </dev/null || fail "$name"
  mv "$name" "new.$name"
  duration=$((($(date +%s%N) - start) / 1000000))
  for ((i = 0; i < count; ++i)); do kill_at_random "$name" "${signals[RANDOM % 4]}" $duration; done
done

# In the middle of a write.
if command -v cc >/dev/null; then
  cc -shared -fPIC -o slow_disk.so "$folder/slow_disk.c"
  for signal in "${signals[@]}"; do
    name=generate.xml
    cp old "$name"
    rm -f reached
    # shellcheck disable=SC2086
    ASAN_OPTIONS=verify_asan_link_order=0 SLOW_DISK_REACHED=$work/reached LD_PRELOAD=$work/slow_disk.so "$vtopo" ${verb[$name]} \
      -o "$name" >/dev/null 2>errors </dev/null &
    pid=$!
    until [ -e reached ]; do
      kill -0 $pid || fail "$name did not reach the disk"
      sleep 0.02
    done
    [ -n "$(find . -name '.vtopo-*')" ] || fail "no temporary file: nothing is tested"
    kill -$signal $pid
    code=0
    wait $pid 2>/dev/null || code=$?
    [ "$code" = $((128 + $(kill -l $signal))) ] || fail "exit code $code after SIG$signal"
    cmp -s old "$name" || fail "$name is not the old file after SIG$signal"
    if [ $signal = KILL ]; then clean_after_kill; else nothing_left "SIG$signal while $name is written"; fi
  done
fi

# All processes of a run end with it, those in sessions of their own too.
long=$((100000000 + $$))  # seconds: processes of other runs of this test sleep for others
cat >tree.sh <<SH
#!/bin/sh
setsid sleep $long &
(setsid sh -c 'sleep $long & exec sleep $long' &)
touch "\$(dirname "\$0")/reached"
sleep $long
SH
chmod +x tree.sh
# The folder of a program's files goes with its processes, however the command ended.
gone_with_it() { # what happened
  local i
  for ((i = 0; i < 1000; ++i)); do
    [ -n "$(find "${TMPDIR:?}" -name 'vtopo-*')" ] || break
    sleep 0.05
  done
  [ -z "$(find "${TMPDIR:?}" -name 'vtopo-*')" ] || fail "a temporary folder stays after $1"
  clean_after_kill
}

alive() { pgrep -xf "sleep $long"; }
for signal in KILL TERM INT; do
  rm -f reached
  "$vtopo" map --topology cart:4 --network torus:4 --mapper "external:command=$work/tree.sh" --no-simulate \
    -o never.csv >/dev/null 2>errors </dev/null &
  pid=$!
  for ((i = 0; i < 5000; ++i)); do [ ! -e reached ] || [ "$(alive | wc -l)" != 4 ] || break; sleep 0.02; done
  [ "$(alive | wc -l)" = 4 ] || fail "the mapper's processes do not run: nothing is tested"
  kill -$signal $pid
  wait $pid 2>/dev/null || true
  for ((i = 0; i < 1000; ++i)); do [ -n "$(alive)" ] || break; sleep 0.05; done
  [ -z "$(alive)" ] || fail "processes of a mapper outlive SIG$signal"
  gone_with_it "SIG$signal to a mapper"
done
if [ -n "${verb[mpirun.json]:-}" ]; then
  smpicc -O1 -o "$work/endings" "$folder/../mpi/endings.c"
  "$vtopo" mpirun -np 4 --network torus:2x2 "$work/endings" spin >/dev/null 2>errors </dev/null &
  pid=$!
  for ((i = 0; i < 5000; ++i)); do pgrep -f "smpimain $work/endings" >/dev/null && break; sleep 0.02; done
  pgrep -f "smpimain $work/endings" >/dev/null || fail "no simulation: nothing is tested"
  kill -KILL $pid
  wait $pid 2>/dev/null || true
  for ((i = 0; i < 1000; ++i)); do pgrep -f "$work/endings" >/dev/null || break; sleep 0.05; done
  ! pgrep -af "$work/endings" || fail "processes of mpirun outlive SIGKILL"
  gone_with_it "SIGKILL to mpirun"
fi

# A sweep keeps the lines that it has finished, whole.
cat >plan.json <<'JSON'
{"base": {"network": "torus:4x4", "bytes": "64KiB", "no-simulate": true, "topology": "cart:4x4", "mapper": "block"},
 "axes": {"seed": {"from": 1, "to": 12}}}
JSON
"$vtopo" sweep plan.json -o whole.jsonl 2>errors
sort whole.jsonl >whole.sorted
for ((i = 0; i < 2 * count; ++i)); do
  rm -f part.jsonl*
  signal=${signals[RANDOM % 4]}
  "$vtopo" sweep plan.json -o part.jsonl --jobs 1 2>errors &
  pid=$!
  wait_for_start $pid
  sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
  kill -$signal $pid 2>/dev/null || true
  code=0
  wait $pid 2>/dev/null || code=$?
  [ "$code" = 0 ] || [ "$code" = $((128 + $(kill -l $signal))) ] ||
    fail "exit code $code of sweep after SIG$signal"
  [ $signal = KILL ] || [ ! -e part.jsonl ] || [ -z "$(sort part.jsonl | comm -23 - whole.sorted)" ] ||
    fail "lines of a stopped sweep are not those of the whole one"
  "$vtopo" sweep plan.json -o part.jsonl --resume 2>errors || fail "the sweep does not go on"
  sort part.jsonl | cmp - whole.sorted
  nothing_left "SIG$signal to sweep"
done
echo "every file is whole"

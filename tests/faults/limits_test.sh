#!/usr/bin/env bash
# SimGrid in a child process: limits of time and memory, its crash, and MPI programs under limits.
# Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common.sh
. "$folder/common.sh"

# Random embeddings of three contended megabytes per rank take SimGrid some seconds.
long=(evaluate --topology cart:8x8x8 --network torus:8x8x8 --mapper random --solver simgrid)
expect 1 "vtopo: the simulation takes more than 50 ms, its time limit" "$vtopo" "${long[@]}" --run-limit 50ms
expect 0 "" "$vtopo" evaluate --topology cart:4x4 --network torus:4x4 --run-limit 10m --memory-limit 8GiB
for limit in 0s -1s soon; do
  expect 2 "$limit" "$vtopo" "${long[@]}" "--run-limit=$limit"
done
for limit in 0 0.5 -1 much; do
  expect 2 "$limit" "$vtopo" "${long[@]}" "--memory-limit=$limit"
done
# Of vtopo's own clock too, whatever splits the flows: a burst of many distinct volumes takes it long.
awk 'BEGIN { print "src,dst,bytes"; x = 1
  for (i = 0; i < 12000; ++i) {
    x = (x * 1103515245 + 12345) % 2147483648; a = int(x / 65536) % 512
    x = (x * 1103515245 + 12345) % 2147483648; b = int(x / 65536) % 512
    if (a != b) print a "," b "," 100000 + i * 7919 % 900001 } }' >burst.csv
burst=(simulate --traffic burst.csv --ranks 512 --network torus:8x8x8)
for routing in auto ecmp valiant; do
  expect 1 "vtopo: the simulation takes more than 1 ms, its time limit" "$vtopo" "${burst[@]}" --routing "$routing" --run-limit 1ms
  expect 0 "is too short to simulate" "$vtopo" "${burst[@]}" --routing "$routing" --time-limit 2ms
done
# Wrong ones are reported also where there is nothing to simulate, and short simulations are not stopped.
cp "$folder/../cli/golden/convert_ranks.csv" ranks.csv
small=(--topology cart:4x4 --network torus:4x4)
expect 0 "" "$vtopo" evaluate "${small[@]}" --solver fast --run-limit 1us
expect 0 "" "$vtopo" evaluate "${small[@]}" --no-simulate --memory-limit 1
for asked in "platform describe --network torus:4x4" "platform route 0 5 --network torus:4x4" \
  "platform draw --network torus:4x4" "convert ranks.csv job.rankfile --network torus:2x2"; do
  # shellcheck disable=SC2086
  expect 2 '"-5"' "$vtopo" $asked --run-limit=-5
  # shellcheck disable=SC2086
  expect 2 '--memory-limit "0"' "$vtopo" $asked --memory-limit 0
  # shellcheck disable=SC2086
  expect 2 "bogus" "$vtopo" $asked --run-limit bogus
done
echo '{"base": {"network": "torus:2x2", "mapper": "block"}, "axes": {"topology": ["cart:2x2"]}}' >plan.json
for asked in "bench --instances q6-torus" "sweep plan.json -o sweep.jsonl"; do
  # shellcheck disable=SC2086
  expect 2 '--run-limit "0"' "$vtopo" $asked --run-limit 0
  # shellcheck disable=SC2086
  expect 2 '--memory-limit "0.5"' "$vtopo" $asked --memory-limit 0.5
done
expect 0 "" "$vtopo" bench --instances q6-torus --mapper block --run-limit inf --memory-limit inf
expect 0 "" "$vtopo" sweep plan.json -o sweep.jsonl --run-limit 1e9 --memory-limit 1e24

# A platform file of 10 MB, which SimGrid parses for hundreds of milliseconds.
awk 'BEGIN {
  print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
  print "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\">"
  for (i = 0; i < 500; ++i)
    printf "<host id=\"h%d\" speed=\"1Gf\"/><link id=\"l%d\" bandwidth=\"1GBps\" latency=\"1us\"/>\n", i, i
  for (i = 0; i < 500; ++i)
    for (j = i + 1; j < 500; ++j)
      printf "<route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"l%d\"/><link_ctn id=\"l%d\"/></route>\n", i, j, i, j
  print "</zone></platform>"
}' >large.xml
loads="large.xml: the process in which SimGrid loads this platform"
for asked in "platform route h0 h5" "platform describe" "evaluate --topology cart:4x4 --hosts first:16" \
  "evaluate --topology cart:4x4 --hosts first:16 --solver fast"; do
  # shellcheck disable=SC2086
  expect 1 "$loads takes more than 20 ms, its time limit" "$vtopo" $asked --platform large.xml --run-limit 20ms
done
if ! grep -q __asan_init "$vtopo"; then # which ends the process with a message of its own
  # Runs a command that lacks memory, perhaps after words of SimGrid, whose file stays.
  lacks_memory() {
    local code=0
    "${@:2}" >output 2>errors </dev/null || code=$?
    [ "$code" = 1 ] && grep -qF "$1, its memory limit" errors || fail "exit code $code: ${*:2}"
    rm -f "$TMPDIR"/vtopo-simgrid-*.log
  }
  for limit in 100KiB 300KiB 1MiB 4MiB; do
    lacks_memory "$loads needs more memory than ${limit%???} ${limit: -3}" \
      "$vtopo" platform route h0 h5 --platform large.xml --memory-limit $limit
  done
  lacks_memory "the simulation needs more memory than 2 MiB" "$vtopo" "${long[@]}" --memory-limit 2MiB
  lacks_memory "the simulation needs more memory than 100 MiB" "$vtopo" "${long[@]}" --memory-limit 100MiB
fi
# Small stacks, raised where that is possible (README.md).
for size in 32 64 128; do
  expect 2 "the limit of stacks is $size KiB" bash -c "ulimit -s $size; exec \"\$0\" --version" "$vtopo"
  expect 0 "" bash -c "ulimit -S -s $size; exec \"\$0\" compare --topology rgg:100:8:1 --network torus:10x10" "$vtopo"
done
echo '<platform version="4.1"><zone id="z" routing="Full"><host id="a"/></zone></platform>' >unsound.xml
expect 3 "SimGrid does not accept this platform" "$vtopo" platform describe --platform unsound.xml --memory-limit 1GiB
expect 2 "--memory-limit" "$vtopo" platform route h0 h5 --platform large.xml --memory-limit 0.5
expect 0 "" "$vtopo" platform route h0 h5 --platform large.xml --run-limit inf --memory-limit inf

# SimGrid crashes: the command reports it and names the file with what SimGrid wrote.
"$vtopo" "${long[@]}" >output 2>errors </dev/null &
pid=$!
for ((i = 0; i < 600; ++i)); do
  child=$(cat /proc/$pid/task/*/children 2>/dev/null || true)
  # The child opens its engine before it starts its ranks; a thread of its own waits for the parent.
  [ -n "$child" ] && [ "$(awk '{ print $14 }' "/proc/${child%% *}/stat")" -gt 20 ] && break
  sleep 0.1
done
kill -SEGV "${child%% *}"
code=0
wait $pid || code=$?
[ "$code" = 1 ] || fail "exit code $code after a crash of the simulation"
grep -q 'vtopo: the simulation ' errors || fail "the crash is not told"
for log in "$TMPDIR"/vtopo-simgrid-*.log; do
  [ ! -e "$log" ] || grep -qF "the log of SimGrid is \"$log\"" errors || fail "$log is not named"
done
cat errors
rm -f "$TMPDIR"/vtopo-simgrid-*.log

# MPI programs.
if compile_halo "$folder"; then
  smpicc -O1 -o endings "$folder/../mpi/endings.c"
  on_four=(mpirun -np 4 --network torus:2x2)
  on_eight=(mpirun -np 8 --network torus:2x2x2)
  expect 124 "its --run-limit" "$vtopo" "${on_four[@]}" --run-limit 500ms ./endings spin
  for limit in 0s soon; do
    expect 2 "$limit" "$vtopo" "${on_four[@]}" "--run-limit=$limit" ./halo 2
  done
  for limit in 0 0.5 much; do
    expect 2 "$limit" "$vtopo" "${on_four[@]}" "--memory-limit=$limit" ./halo 2
  done
  code=0
  "$vtopo" "${on_eight[@]}" --memory-limit 16MiB ./halo 2 >output 2>errors || code=$?
  [ "$code" != 0 ] || fail "16 MiB are enough"
  grep -q "its --memory-limit is 16 MiB" errors || fail "the limit of memory is not named"
  nothing_left "a run without memory"
  expect 0 "" "$vtopo" "${on_eight[@]}" --memory-limit 1e24 --run-limit 1e9 ./halo 2
  expect 1 "$loads takes more than 20 ms" "$vtopo" mpirun -np 4 --platform large.xml --run-limit 20ms ./halo 2
else
  echo "without MPI programs: there is no smpicc or no overlay"
fi
echo "limits are kept"

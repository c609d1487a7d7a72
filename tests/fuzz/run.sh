#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: fuzzes each target for that long, all of them if none is named. What it
# finds goes to build/fuzz/findings, new inputs to build/fuzz/corpus. Exit code 1 on a finding. An input
# that takes over VTOPO_FUZZ_TIMEOUT seconds (default 1) is one if it does so twice: on a busy machine the
# first time may be the machine's fault. Fuzzing then goes on.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=${VTOPO_FUZZ_PROGRAM:-$root/build/fuzz/bin/vtopo_fuzz}
unpacker=${VTOPO_FUZZ_INPUTS:-$root/build/fuzz/bin/fuzz_inputs}
work=$root/build/fuzz
seconds=$1
shift
[ -x "$program" ] && [ -x "$unpacker" ] || {
  echo "no $program or no $unpacker; build it with cmake --preset fuzz && cmake --build --preset fuzz" >&2
  exit 2
}
if [ $# -eq 0 ]; then
  for file in "$here"/targets/*.cpp; do set -- "$@" "$(basename "$file" .cpp)"; done
fi

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
limits=(-timeout="${VTOPO_FUZZ_TIMEOUT:-1}" -rss_limit_mb=2048 -malloc_limit_mb=512)
found=0

# One run of the fuzzer; its log goes to $log.
fuzz() { # target, seconds
  local dictionary=$here/dictionaries/$1.dict
  local arguments=("${limits[@]}" -max_total_time="$2" -max_len=4096 -print_final_stats=1
    -artifact_prefix="$work/findings/$1/")
  [ ! -f "$dictionary" ] || arguments+=(-dict="$dictionary")
  "$program" "$1" "${arguments[@]}" "$work/corpus/$1" "$inputs" >"$log" 2>&1
}

# Whether the input in the log was slow once and is not when it has the program to itself.
was_slow_once() { # target
  [ -n "$artifact" ] && grep -q 'SUMMARY: libFuzzer: timeout' "$log" &&
    "$program" "$1" "${limits[@]}" "$artifact" >/dev/null 2>&1
}

for target in "$@"; do
  mkdir -p "$work/corpus/$target" "$work/findings/$target"
  log=$work/findings/$target/log
  inputs=$(mktemp -d "$work/inputs-XXXXXX")
  "$unpacker" unpack "$here/corpus/$target.inputs" "$inputs"
  runs=0 end=$((SECONDS + seconds))
  while [ $((left = end - SECONDS)) -gt 0 ]; do
    code=0
    fuzz "$target" "$left" || code=$?
    runs=$((runs + $(sed -n 's/^stat::number_of_executed_units: *//p' "$log" || true) + 0))
    [ $code != 0 ] || continue
    artifact=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    if was_slow_once "$target"; then
      mv "$artifact" "$artifact.slow-once"
      continue
    fi
    found=1
    cp "$log" "$log.finding"
    echo "$target: a finding; the log is $log.finding" >&2
    grep -E '^(a reader threw|SUMMARY|==[0-9]+== ?ERROR|==[0-9]+==ERROR)' "$log" >&2 || true
    [ -z "$artifact" ] || echo "  again: $program $target $artifact" >&2
    break
  done
  rm -r "$inputs"
  echo "$target: $((SECONDS - end + seconds)) seconds, $runs runs"
done
exit $found

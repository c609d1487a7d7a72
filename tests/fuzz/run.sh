#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: fuzzes each target for that long, all of them if none is named. What it
# finds goes to build/fuzz/findings, new inputs to build/fuzz/corpus. Exit code 1 on a finding. An input
# that takes over VTOPO_FUZZ_TIMEOUT seconds (default 1) is one: on a busy machine, or under nice, give more.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=${VTOPO_FUZZ_PROGRAM:-$root/build/fuzz/bin/vtopo_fuzz}
work=$root/build/fuzz
seconds=$1
shift
[ -x "$program" ] || {
  echo "no $program; build it with cmake --preset fuzz && cmake --build --preset fuzz" >&2
  exit 2
}
if [ $# -eq 0 ]; then
  for file in "$here"/targets/*.cpp; do set -- "$@" "$(basename "$file" .cpp)"; done
fi

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
found=0
for target in "$@"; do
  mkdir -p "$work/corpus/$target" "$work/findings/$target"
  arguments=(-max_total_time="$seconds" -timeout="${VTOPO_FUZZ_TIMEOUT:-1}" -rss_limit_mb=2048 -malloc_limit_mb=512
    -max_len=4096 -print_final_stats=1 -artifact_prefix="$work/findings/$target/")
  dictionary=$here/dictionaries/$target.dict
  [ ! -f "$dictionary" ] || arguments+=(-dict="$dictionary")
  log=$work/findings/$target/log
  if "$program" "$target" "${arguments[@]}" "$work/corpus/$target" \
    "$here/corpus/$target" >"$log" 2>&1; then
    echo "$target: nothing found in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
    continue
  fi
  found=1
  echo "$target: a finding; the log is $log" >&2
  grep -E '^(a reader threw|SUMMARY|==[0-9]+== ?ERROR|==[0-9]+==ERROR)' "$log" >&2 || true
  artifact=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
  [ -z "$artifact" ] || echo "  again: $program $target $artifact" >&2
done
exit $found

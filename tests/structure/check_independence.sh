#!/usr/bin/env bash
# The checker of reports shares nothing with what makes them (its evidence/ does): sim/check includes nothing but itself and
# topology/base, itself or through what it includes, and stays small enough to be read. Argument: the
# source folder.
set -euo pipefail
cd "$1"
failures=0
waiting=(sim/check/*.cpp sim/check/*.hpp)
declare -A seen=()
while [ ${#waiting[@]} -gt 0 ]; do
  file=${waiting[0]}
  waiting=("${waiting[@]:1}")
  [ -n "${seen[$file]:-}" ] && continue
  seen[$file]=1
  case $file in
    sim/check/* | topology/base/*) ;;
    *)
      echo "sim/check reaches $file"
      failures=1
      ;;
  esac
  while IFS= read -r header; do
    [ -f "$header" ] && waiting+=("$header")
  done < <(sed -n 's/^#include "\(.*\)"/\1/p' "$file")
done
for file in sim/check/*.?pp; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 400 ]; then
    echo "$file has $lines lines; accepted are up to 400"
    failures=1
  fi
done
exit $failures

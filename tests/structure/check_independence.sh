#!/usr/bin/env bash
# The checker of reports shares nothing with what makes them: cli/check includes nothing of sim/ or
# netmodels/, itself or through what it includes, and stays small enough to be read. Argument: the
# source folder.
set -euo pipefail
cd "$1"
failures=0
waiting=(cli/check/*.cpp cli/check/*.hpp)
declare -A seen=()
while [ ${#waiting[@]} -gt 0 ]; do
  file=${waiting[0]}
  waiting=("${waiting[@]:1}")
  [ -n "${seen[$file]:-}" ] && continue
  seen[$file]=1
  case $file in
    sim/* | netmodels/*)
      echo "cli/check reaches $file"
      failures=1
      ;;
  esac
  while IFS= read -r header; do
    [ -f "$header" ] && waiting+=("$header")
  done < <(sed -n 's/^#include "\(.*\)"/\1/p' "$file")
done
lines=$(grep -vcE '^\s*(//.*)?$' cli/check/check_report.cpp)
if [ "$lines" -gt 440 ]; then
  echo "cli/check/check_report.cpp has $lines lines of code; accepted are up to 440"
  failures=1
fi
exit $failures

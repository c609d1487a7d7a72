#!/usr/bin/env bash
# The core is what one engineer holds in the head: lines of code, without blank lines and comments. The limit only falls.
# Arguments: a source folder without wings (core_alone.sh makes one), and another limit (so a test can see it fail).
set -euo pipefail
cd "$1"
limit=${2:-39555}
mapfile -t files < <(find topology netmodels sim \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.in' \) | LC_ALL=C sort)
[ "${#files[@]}" -gt 0 ] || { echo "no source was read in $1"; exit 1; }
lines=$(perl -0777 -ne '
  s{("(?:\\.|[^"\\\n])*"|\x27(?:\\.|[^\x27\\\n])\x27)|//[^\n]*|/\*.*?\*/}{defined $1 ? $1 : ""}gse;
  $count += () = /^.*\S.*$/mg; END { print $count }' "${files[@]}")
echo "the core has $lines lines of code in ${#files[@]} files; the limit is $limit"
[ "$lines" -le "$limit" ]

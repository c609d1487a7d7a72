#!/usr/bin/env bash
# Checks .cmake/public_headers.txt, the list of headers that are installed: each exists, includes only headers of the
# list, and together at least 40 % of their lines are comments. All other headers declare their names in
# vtopo::detail. Argument: the source folder. Prints what is against that.
set -euo pipefail
cd "$1"
list=.cmake/public_headers.txt
least_percent=40

violations=0
while read -r header; do
  [ -e "$header" ] || { echo "$list names $header, which is not there"; violations=$((violations + 1)); continue; }
  while read -r included; do
    grep -qxF "$included" "$list" || {
      echo "$header is public and includes $included, which is not"
      violations=$((violations + 1))
    }
  done < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$header")
done <"$list"

# Of the lines that are not blank.
read -r comments lines < <({ xargs cat <"$list" 2>/dev/null || true; } | awk 'NF { lines++; if (/\/\//) comments++ } END { print comments + 0, lines + 0 }')
[ "$((100 * comments))" -ge "$((least_percent * lines))" ] || {
  echo "$comments of $lines lines of the public headers are comments: less than $least_percent %"
  violations=$((violations + 1))
}
# Names in a namespace outside of vtopo::detail: all but forward declarations, and what Boost.Graph looks up by name.
outside='/^namespace vtopo/ { outside = !/^namespace vtopo::(detail|bgl)/ } /^}/ { outside = 0 }
  outside && !/^namespace|^(class|struct|enum class) [A-Za-z]+;|^$/ { print FILENAME; exit }'
while read -r header; do
  [ -z "$(awk "$outside" "$header")" ] || {
    echo "$header is not public and declares names outside of vtopo::detail"
    violations=$((violations + 1))
  }
done < <(find topology netmodels sim cli -name '*.hpp' 2>/dev/null | sort | grep -vxFf "$list")

[ "$violations" -eq 0 ]

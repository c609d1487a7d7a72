#!/usr/bin/env bash
# Table, CSV and JSON of `networks` list the same networks, errors and completion know them, and
# describe, draw and all mappers take their examples. Argument: the command.
set -euo pipefail
vtopo=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$vtopo" networks --format json >"$folder/json"
"$vtopo" networks --format csv >"$folder/csv"
"$vtopo" networks >"$folder/table"
sed -nE 's/^      "name": "(.*)",$/\1/p' "$folder/json" >"$folder/names"
[ "$(wc -l <"$folder/names")" -ge 4 ] # the list is read at all
cmp "$folder/names" <(tail -n +2 "$folder/csv" | cut -d, -f1)
cmp "$folder/names" <(sed -nE 's/^([a-z-]+) .*/\1/p' "$folder/table")
for column in name syntax keys example source; do
  [ "$(grep -c "^      \"$column\": " "$folder/json")" = "$(wc -l <"$folder/names")" ]
done

"$vtopo" evaluate --topology cart:2 --network nonsense:1 2>"$folder/error" && exit 1
"$vtopo" __complete compare --network "" >"$folder/offered"
sed -nE 's/^      "example": "(.*)",$/\1/p' "$folder/json" >"$folder/examples"
while read -r example; do
  grep -qF "$example" "$folder/error"
  grep -qF "${example%%:*}:" "$folder/offered"
  "$vtopo" platform describe --network "$example" >/dev/null
  "$vtopo" platform draw --network "$example" -o "$folder/picture.svg"
  "$vtopo" compare --topology cart:2x2 --network "$example" --hosts first:4 --mapper all \
    --steps 100 >/dev/null 2>"$folder/remarks"
done <"$folder/examples"

#!/usr/bin/env bash
# Table, CSV and JSON of `networks` list the same networks, whose examples --network takes, and
# help, completion and errors know them. Argument: the command.
set -euo pipefail
vtopo=$1

names=$("$vtopo" networks --format csv | tail -n +2 | cut -d, -f1)
[ "$(wc -w <<<"$names")" -ge 4 ] # the list is read at all
[ "$names" = "$("$vtopo" networks --format json | sed -nE 's/^      "name": "(.*)",$/\1/p')" ]
[ "$names" = "$("$vtopo" networks | sed -nE 's/^([a-z-]+) .*/\1/p')" ]
for column in name syntax keys example source; do
  [ "$("$vtopo" networks --format json | grep -c "^      \"$column\": ")" = "$(wc -w <<<"$names")" ]
done
"$vtopo" networks --format json | sed -nE 's/^      "example": "(.*)",$/\1/p' | while read -r example; do
  "$vtopo" platform describe --network "$example" | grep -q hosts
  "$vtopo" evaluate --topology cart:2 --network nonsense:1 2>&1 | grep -qF "$example"
done
for name in $names; do
  "$vtopo" completion bash | grep -q -- "$name:"
done

#!/usr/bin/env bash
# Table, CSV and JSON of `machines` list the same machines, within 80 columns; each is taken by its name; what a
# machine assumes is in reports; `map` warns of names that are not the machine's. Argument: the command.
set -euo pipefail
vtopo=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

"$vtopo" machines --format json >json
"$vtopo" machines --format csv >csv
"$vtopo" machines >table
sed -nE 's/^      "name": "(.*)",$/\1/p' json >names
[ "$(wc -l <names)" -ge 20 ] # the list is read at all
cmp names <(tail -n +2 csv | cut -d, -f1)
cmp names <(sed -nE '1d; s/^([a-z0-9-]+) .*/\1/p' table | grep -v '^vtopo$')
! grep -E '.{81}' table
for column in name hosts machine knows_host_names assumptions path; do
  [ "$(grep -c "^      \"$column\": " json)" = "$(wc -l <names)" ]
done
for name in lumi frontier leonardo fugaku perlmutter dgx-superpod-h100 rail-only tpu-v4-pod theta MareNostrum5; do
  "$vtopo" platform route 0 1 --platform "$name" >/dev/null
done

# Words that are neither file nor machine; an existing file wins.
for verb in "evaluate --topology cart:2 --platform" "platform describe" "platform lint"; do
  code=0
  # shellcheck disable=SC2086  # words
  "$vtopo" $verb lumii 2>error >/dev/null || code=$?
  [ "$code" = 3 ]
  grep -q '"lumii" is neither a file nor a machine .*; did you mean "lumi"?$' error
done
cp "$(sed -nE 's/^      "path": "(.*two-rooms.xml)"$/\1/p' json)" lumi
"$vtopo" platform describe lumi | grep -q '^hosts *7$'
rm lumi

# Assumptions, one line each, under the verdict and in JSON; none without a machine.
"$vtopo" evaluate --topology cart:4x4 --platform lumi --hosts first:16 --mapper block -o report.json 2>/dev/null
"$vtopo" evaluate --topology cart:4x4 --platform lumi --hosts first:16 --mapper block >report.txt 2>/dev/null
[ "$(grep -c '^assumes: ' report.txt)" -ge 4 ]
grep -q '^  "assumptions": \[$' report.json
grep -q '4 cables between two groups' report.json
"$vtopo" evaluate --topology cart:4x4 --network torus:4x4 -o report.json 2>/dev/null
grep -q '^  "assumptions": \[\]' report.json

# Names of nodes.
order=(map --topology cart:4x4 --hosts first:16 --mapper block)
"$vtopo" "${order[@]}" --platform frontier -o a.rankfile 2>warned >/dev/null
grep -q 'the file of frontier does not know the names of its nodes: .* host-0, .*--host-names' warned
"$vtopo" "${order[@]}" --platform lumi -o b.rankfile 2>silent >/dev/null
! grep -q 'host-names' silent
"$vtopo" "${order[@]}" --platform theta --host-names 'n[0001-3456]' -o c.rankfile 2>silent >/dev/null
! grep -q 'host-names' silent
grep -q 'n0001' c.rankfile
code=0
"$vtopo" "${order[@]}" --platform theta --host-names 'n[1-9]' -o c.rankfile 2>error >/dev/null || code=$?
[ "$code" != 0 ]
grep -q '9 host names for the 3456 hosts' error

# Read, change, write.
"$vtopo" platform generate --platform two-rooms --scale-bandwidth 'attic*=0.5' -o changed.xml 2>/dev/null
"$vtopo" platform describe changed.xml | grep -q '^hosts *7$'
"$vtopo" platform links changed.xml >changed
"$vtopo" platform links two-rooms >plain
! cmp -s changed plain

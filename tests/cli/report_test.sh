#!/usr/bin/env bash
# vtopo report: reports and pages are scenarios that make the same page again, pictures hold the numbers
# of the report, the example is what its command makes. Arguments: the command, the source folder.
set -euo pipefail
vtopo=$1
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "$1"
  exit 1
}

"$vtopo" compare --traffic examples/halo-4x4.csv --network 'fat-tree:2;4,4;1,2;1,2' \
  --mapper block,random,greedy --timing off -o "$folder/first.json"
"$vtopo" report "$folder/first.json" --timing off -o "$folder/one.html"
"$vtopo" report --timing off "$folder/one.html" -o "$folder/two.html"
cmp "$folder/one.html" "$folder/two.html"
"$vtopo" report "$folder/one.html" --timing off -o "$folder/TWO.HTML"
"$vtopo" compare --scenario "$folder/TWO.HTML" --timing off -o "$folder/again.json"
cmp "$folder/first.json" "$folder/again.json"
"$vtopo" report "$folder/one.html" --timing off --format html -o - | cmp - "$folder/one.html"

[ "$(grep -c '<section class="row"' "$folder/one.html")" -eq 3 ] || fail "not three rows"
[ "$(grep -c '<figure id=' "$folder/one.html")" -eq 19 ] || fail "not six pictures a row and one of all"

# What the command line gives wins over the page.
"$vtopo" report "$folder/one.html" --mapper block --no-simulate --timing off -o "$folder/figures/"
ls "$folder/figures" | tr '\n' ' ' >"$folder/files"
grep -q '^figures.gp hops-block.csv hops-block.svg link-cells-block.csv link-cells-block.svg links-block.csv links-block.svg loads-block.csv loads-block.svg report.csv report.html report.json traffic-by-host-block.csv traffic-by-host-block.svg traffic-by-rank.csv traffic-by-rank.svg $' "$folder/files" ||
  fail "files: $(cat "$folder/files")"

# All cables of this tree are drawn: their bytes are the hop-bytes of the row; all cells of the matrix
# are its bytes.
sum() { awk -F, -v c="$2" 'NR > 1 {s += $c} END {printf "%d\n", s}' "$1"; }
field() { # of the only row
  awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; ++i) if ($i == name) c = i} NR == 2 {printf "%d\n", $c}' \
    "$folder/figures/report.csv"
}
[ "$(sum "$folder/figures/links-block.csv" 2)" = "$(field hop_bytes)" ] || fail "links are not the hop-bytes"
[ "$(sum "$folder/figures/traffic-by-host-block.csv" 4)" = "$(field total_bytes)" ] || fail "matrix is not the bytes"
[ "$(sum "$folder/figures/hops-block.csv" 2)" = "$(field edges)" ] || fail "histogram is not the edges"

# Several inputs: a folder each.
"$vtopo" report "$folder/first.json" "$folder/one.html" --no-simulate --timing off -o "$folder/both/"
cmp "$folder/both/first/report.html" "$folder/both/one/report.html"

code=0
"$vtopo" compare --scenario examples/README.html -o - 2>"$folder/error" || code=$?
[ "$code" -eq 3 ] || fail "a page that is not there ends with $code"
echo '<html><script>{}</script></html>' >"$folder/other.html"
code=0
"$vtopo" report "$folder/other.html" -o "$folder/x.html" 2>"$folder/error" || code=$?
[ "$code" -eq 3 ] && grep -q 'holds no JSON report' "$folder/error" || fail "$(cat "$folder/error")"

# Every picture of the folder is what its command makes.
sed -n 's/^    vtopo \(report.*\)$/\1/p' examples/report/README.md >"$folder/commands"
[ -s "$folder/commands" ] || fail "no command in examples/report/README.md"
while IFS= read -r command; do
  eval "\"\$vtopo\" $(sed "s|-o examples/report/|-o $folder/|" <<<"$command")" </dev/null
done <"$folder/commands"
for picture in examples/report/*.svg; do
  cmp "$folder/$(basename "$picture")" "$picture"
done

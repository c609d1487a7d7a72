#!/usr/bin/env bash
# Disks that are full and files that may not grow: one sentence, exit code 3, the old file stays whole.
# Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common.sh
. "$folder/common.sh"
compile_halo "$folder" || echo "without mpirun and record: there is no smpicc or no overlay"

# Every verb to a full device.
to_full() {
  local code=0
  timeout --foreground 120 "$vtopo" "$@" >/dev/full 2>errors </dev/null || code=$?
  [ "$code" = 3 ] || fail "exit code $code instead of 3: $* >/dev/full"
  grep -q 'cannot write standard output: No space left on device' errors || fail "no sentence: $*"
  nothing_left "$* >/dev/full"
}
to_full dims 72 2
to_full mappers
to_full topology cart:4x4 --coords 3
to_full platform describe --network torus:4x4
to_full platform route --network torus:4x4 0 5
to_full platform draw --network torus:4x4
to_full platform lint "$folder/../../platforms/theta.xml"
to_full compare --topology cart:4x4 --network torus:4x4 --mapper block --no-simulate
to_full bench --list
to_full sweep --help
to_full --version
for name in "${!verb[@]}"; do
  # shellcheck disable=SC2046,SC2086
  case $name in map.csv | record.csv) ;; *) to_full ${verb[$name]} $(program_of "$name") ;; esac
  # shellcheck disable=SC2046,SC2086
  expect 3 "cannot write \"/dev/full\": No space left on device" \
    "$vtopo" ${verb[$name]} -o /dev/full $(format_of "$name") $(program_of "$name")
done

# Files that may not grow beyond 1 KiB: all of these reports are larger.
echo "the old file" >old
for name in map.csv evaluate.json generate.xml; do
  cp old "$name"
  # shellcheck disable=SC2086
  expect 3 "cannot write \"$name\": File too large" bash -c 'ulimit -f 1; exec "$@" >/dev/null' sh "$vtopo" ${verb[$name]} -o "$name"
  cmp old "$name"
done

# A folder of a report has all of its files or those that were there: some of them fit, some do not.
mkdir paper
echo "the old file" >paper/report.json
expect 3 "File too large" bash -c 'ulimit -f 8; exec "$@"' sh "$vtopo" report --topology cart:8x8 --network torus:8x8 \
  --mapper block,random -o paper/
[ "$(ls paper)" = report.json ] && cmp old paper/report.json || fail "a part of a report: $(ls paper)"
expect 3 "File too large" bash -c 'ulimit -f 8; exec "$@"' sh "$vtopo" report --topology cart:8x8 --network torus:8x8 \
  --mapper block,random -o fresh/
[ -z "$(ls -A fresh 2>/dev/null)" ] || fail "a part of a report: $(ls fresh)"
expect 0 "" "$vtopo" report --topology cart:4x4 --network torus:4x4 --mapper block -o fresh/
[ "$(ls fresh | wc -l)" -gt 3 ] && [ -s fresh/report.json ] || fail "the report is not whole: $(ls fresh)"

# A sweep on such a disk: the lines that fit are whole, and --resume makes the rest.
cat >plan.json <<'JSON'
{"base": {"network": "torus:4x4", "no-simulate": true, "topology": "cart:4x4", "mapper": "block"},
 "axes": {"seed": {"from": 1, "to": 4}}}
JSON
"$vtopo" sweep plan.json -o whole.jsonl 2>errors
line=$(head -n 1 whole.jsonl | wc -c)
expect 3 "cannot write \"part.jsonl\"" bash -c "ulimit -f $((line * 2 / 1024 + 1)); exec \"\$@\"" sh "$vtopo" sweep plan.json -o part.jsonl --jobs 1
[ -s part.jsonl ] || fail "no line is kept"
[ -z "$(sort part.jsonl | comm -23 - <(sort whole.jsonl))" ] || fail "a line is torn"
expect 0 "" "$vtopo" sweep plan.json -o part.jsonl --resume
cmp <(sort part.jsonl) <(sort whole.jsonl)

# A file system that is full, where one may be mounted.
mkdir disk
if mount -t tmpfs -o size=16k none disk 2>/dev/null; then
  trap 'umount "$work/disk"; rm -rf "$work"' EXIT
  cp old disk/map.csv
  # shellcheck disable=SC2086
  expect 3 "No space left on device" "$vtopo" ${verb[map.csv]} -o disk/map.csv
  cmp old disk/map.csv
  if [ -x halo ]; then
    mkdir disk/temporary
    TMPDIR=$work/disk/temporary expect 3 "No space left on device" "$vtopo" mpirun -np 64 --network mesh:8x8 ./halo 4
  fi
else
  echo "without a full file system: none may be mounted"
fi
echo "full disks are told"

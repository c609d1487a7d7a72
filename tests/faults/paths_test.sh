#!/usr/bin/env bash
# Paths that cannot be read or written: exit code 2 or 3 and one sentence that names the path.
# Arguments: the command, the overlay library.
set -euo pipefail
vtopo=$1
export VTOPO_SMPI_LIBRARY=$2
folder=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common.sh
. "$folder/common.sh"

# Runs a command that fails: words of its only line on stderr, the command.
refused() {
  local words=$1 code=0
  shift
  timeout --foreground 60 "$@" >output 2>errors </dev/null || code=$?
  [ "$code" = 2 ] || [ "$code" = 3 ] || fail "exit code $code: $*"
  [ "$(wc -l <errors)" = 1 ] || fail "not one line: $*"
  grep -qF -- "$words" errors || fail "no \"$words\": $*"
  nothing_left "$*"
}

mkdir a_folder
evaluate=("$vtopo" evaluate --topology cart:4x4 --network torus:4x4 --no-simulate --format json)
map=("$vtopo" map --topology cart:4x4 --network torus:4x4 --mapper block --no-simulate --embedding-format csv)
generate=("$vtopo" platform generate --network torus:4x4)
echo '{"base": {"network": "torus:2x2", "topology": "cart:2x2", "mapper": "block"}, "axes": {"seed": [1]}}' >plan.json

# Written.
for path in a_folder absent/file /proc/version /proc/absent a_folder/ ""; do
  for verb in evaluate map generate; do
    declare -n command=$verb
    refused "$path" "${command[@]}" -o "$path"
  done
done
for path in a_folder absent/file /proc/version; do
  refused "$path" "$vtopo" sweep plan.json -o "$path"
  refused "$path" "${evaluate[@]}" --simulate --rank-times "$path"
done
long=$(printf 'x%.0s' {1..300})
refused "File name too long" "${evaluate[@]}" -o "$long"
ln -s loop loop
refused "loop" "${evaluate[@]}" -o loop

# Read.
for path in a_folder absent /proc/self/mem /dev/null; do
  refused "$path" "$vtopo" evaluate --traffic "$path" --traffic-format edges --network torus:4x4
  refused "$path" "$vtopo" evaluate --topology cart:4x4 --platform "$path" --no-simulate
  refused "$path" "$vtopo" evaluate --topology "graph:$path" --network torus:4x4
  refused "$path" "$vtopo" evaluate --topology cart:4x4 --network torus:4x4 --embedding "$path" --embedding-format csv
  refused "$path" "$vtopo" evaluate --topology cart:4x4 --network torus:4x4 --hosts "file:$path"
  refused "$path" "$vtopo" evaluate --scenario "$path"
  refused "$path" "$vtopo" sweep "$path" -o never.jsonl
  [ "$path" = /dev/null ] || refused "$path" "$vtopo" sweep merge "$path" -o never.jsonl  # else no lines
  expect 3 "" "$vtopo" platform lint "$path"
  grep -qF "$path" output errors || fail "lint does not name $path"
  refused "$path" "${map[@]}" --plugin "$path" -o never.csv
done
[ ! -e never.csv ] && [ ! -e never.jsonl ] || fail "an output without an input"

# A file system for reading alone.
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
  trap 'umount "$work/disk"; rm -rf "$work"' EXIT
  echo "the old file" >disk/old.json
  mount -o remount,ro disk
  refused "Read-only file system" "${evaluate[@]}" -o disk/new.json
  refused "Read-only file system" "${evaluate[@]}" -o disk/old.json
  [ "$(cat disk/old.json)" = "the old file" ] || fail "the old file is gone"
else
  echo "without a file system for reading: none may be mounted"
fi

# Rights, which do not bind root.
chmod 755 "$work"
mkdir locked
echo 'source,destination,bytes' >locked/edges.csv
echo old >kept.json
chmod 000 locked
chmod 444 kept.json
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if "${as_user[@]}" "$vtopo" --version >/dev/null 2>&1; then
  refused "Permission denied" "${as_user[@]}" "${evaluate[@]}" -o locked/new.json
  refused "Permission denied" "${as_user[@]}" "${evaluate[@]}" -o kept.json
  refused "locked/edges.csv" "${as_user[@]}" "$vtopo" evaluate --traffic locked/edges.csv --network torus:4x4
  [ "$(cat kept.json)" = old ] || fail "a file that may not be written is gone"
else
  echo "without rights: nobody may not run the command here"
fi
echo "paths are told"

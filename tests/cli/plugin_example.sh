#!/usr/bin/env bash
# Builds examples/plugin as strict C99 and compares what the command does with it.
# Arguments: the command, the source folder, the folder or prefix where the plugin header is found, and the
# expected output.
set -euo pipefail
vtopo=$1 source=$2 header=$3 expected=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$source/examples/plugin" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$header" \
  -DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Werror" >/dev/null
cmake --build "$work/build" >/dev/null
cd "$work/build"
question=(--topology cart:4x4 --network torus:2x8 --no-simulate --timing off --plugin ./heaviest_first.so)
{
  "$vtopo" mappers --plugin ./heaviest_first.so | grep -A 3 '^heaviest_first'
  "$vtopo" compare "${question[@]}" --mapper block,heaviest_first,heaviest_first:order=lightest
  "$vtopo" compare "${question[@]}" --mapper block,exchange:start=heaviest_first --format json | grep plugin
  "$vtopo" evaluate "${question[@]}" --mapper heaviest_first:order --plugin ./none.so 2>&1 || echo "exit code $?"
  "$vtopo" evaluate "${question[@]}" --plugin ./heaviest_first.so 2>&1 || echo "exit code $?"
  "$vtopo" map "${question[@]}" --mapper heaviest_first --min-gain none -o - --report report.txt
} | diff -u "$expected" -

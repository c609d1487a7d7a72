#!/usr/bin/env bash
# The checker of tracked files must fail where a left-over or a program is committed, and say which.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_tracked_files.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/tests"
touch "$tree"/{README.md,CMakeLists.txt,compare.expected,tests/compare.expected}
printf '\x7fELF\x02\x01\x01' >"$tree/tests/program"
git -C "$tree" init -q
git -C "$tree" add .
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with two violations"
  exit 1
fi
expected="compare.expected: a file that the top folder does not have
tests/program: a compiled program"
[ "$output" = "$expected" ] || { echo "reported: $output"; exit 1; }

#!/usr/bin/env bash
# The checker of mapper names must fail on a tree that knows a mapper by name, and say where.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_mapper_names.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{cli,sim/mapping/mappers,sim/placement}
echo 'return {.name = "block"};' >"$tree/sim/mapping/mappers/block.cpp"
echo 'start = "block";' >"$tree/sim/mapping/mappers/greedy.cpp"
echo 'if (mapper.name == "greedy") return;' >"$tree/cli/list.cpp"
echo 'if (kind == "block") return;' >"$tree/sim/placement/allocation.cpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with two violations"
  exit 1
fi
expected="cli/list.cpp:1 names the mapper greedy
sim/mapping/mappers/greedy.cpp:1 names the mapper block"
[ "$(sort <<<"$output")" = "$expected" ] || { echo "reported: $output"; exit 1; }

#!/usr/bin/env bash
# The checker of includes must fail on a tree with includes against the rules, and name them.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_dependencies.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{topology,netmodels,cli} "$tree"/sim/{embedding,evaluation,mapping,simulation,report}
echo '#include "netmodels/network.hpp"' >"$tree/topology/upward.hpp"
echo '#include "sim/simulation/simulate.hpp"' >"$tree/sim/mapping/sideways.cpp"
echo '#include <CLI/CLI.hpp>' >"$tree/sim/report/stray.cpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with three violations"
  exit 1
fi
for expected in "topology/upward.hpp includes netmodels/network.hpp" \
  "sim/mapping/sideways.cpp includes sim/simulation/simulate.hpp" \
  "sim/report/stray.cpp includes CLI/CLI.hpp"; do
  grep -qF "$expected" <<<"$output" || {
    echo "not reported: $expected"
    exit 1
  }
done

#!/usr/bin/env bash
# The checker of includes must fail on a tree with includes against the rules, and name them.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_dependencies.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{topology,netmodels,cli} "$tree"/sim/{embedding,evaluation,mapping,simulation,report,attic,mpi/smpi_repairs}
echo '#include "netmodels/network.hpp"' >"$tree/topology/upward.hpp"
echo '#include "sim/clock/simulate.hpp"' >"$tree/sim/mapping/sideways.cpp"
echo '#include <CLI/CLI.hpp>' >"$tree/sim/report/stray.cpp"
echo '#include "netmodels/platform/platform.hpp"' >"$tree/sim/mapping/upward.cpp"
echo '#include "sim/mapping/plugin/plugin.hpp"' >"$tree/sim/mapping/inward.cpp"
echo '#include "topology/comm_graph.hpp"' >"$tree/sim/attic/unlisted.cpp"
echo '#include "topology/mpi/communicator.hpp"' >"$tree/sim/mpi/smpi_repairs/topologies.cpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with seven violations"
  exit 1
fi
for expected in "topology/upward.hpp includes netmodels/network.hpp" \
  "sim/mapping/sideways.cpp includes sim/clock/simulate.hpp" \
  "sim/mapping/upward.cpp includes netmodels/platform/platform.hpp, of a wing" \
  "sim/mapping/inward.cpp includes sim/mapping/plugin/plugin.hpp, of a wing" \
  "sim/report/stray.cpp includes CLI/CLI.hpp" \
  "sim/mpi/smpi_repairs/topologies.cpp includes topology/mpi/communicator.hpp" \
  "sim/attic includes what it likes: it has no rule"; do
  grep -qF "$expected" <<<"$output" || {
    echo "not reported: $expected"
    exit 1
  }
done

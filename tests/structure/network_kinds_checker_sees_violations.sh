#!/usr/bin/env bash
# The checker of kinds of networks must fail on a tree with a violation, name it, and pass the
# folders of the networks.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_network_kinds.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{topology,netmodels/models/torus,sim/mapping,cli}
touch "$tree/netmodels/network.hpp"
echo 'struct TorusSpec {};' >"$tree/netmodels/models/torus/spec.hpp"
"$checker" "$tree"
echo 'if (std::get_if<TorusSpec>(&shape)) {}' >"$tree/sim/mapping/switch.cpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with a violation"
  exit 1
fi
grep -qF "sim/mapping/switch.cpp names a kind of network" <<<"$output"

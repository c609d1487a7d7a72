#!/usr/bin/env bash
# The checker of networks must pass a tree where each answers for itself, fail on one that names
# them elsewhere, with every name in it, and on one that it cannot judge.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_networks.pl
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{topology,cli,sim/research/bench,sim/mapping,netmodels/platform/lint}
for network in torus fat_tree hyperx; do
  mkdir -p "$tree/netmodels/models/$network"
  echo "{.name = \"${network/_/-}\", .make = make_$network}" >"$tree/netmodels/models/$network/info.cpp"
done
echo '{.name = "mesh", .make = make_torus}' >>"$tree/netmodels/models/torus/info.cpp"

# Nothing against the rule: comments, text about networks, examples, other words.
echo '// TorusSpec /* "torus:" */' >"$tree/topology/comment.hpp"
echo 'fail("a torus or mesh is needed"); auto tori = "x"; SCOTCH_archMesh3(a);' >"$tree/sim/mapping/text.cpp"
echo 'verb.examples = "vtopo --network torus:8x8"; help("torus:8x8x8");' >"$tree/cli/examples.cpp"
echo 'add("torus:4x4x4");' >"$tree/sim/research/bench/family.cpp"
echo 'if (topology == "TORUS") check_torus();' >"$tree/netmodels/platform/lint/clusters.cpp"
for i in 1 2 3 4 5; do echo 'int a;' >"$tree/topology/$i.cpp"; done
"$checker" "$tree"

echo '#include "netmodels/models/torus/spec.hpp"' >"$tree/cli/include.cpp"
echo 'const auto* t = std::get_if<FatTreeSpec>(&s); // no' >"$tree/sim/mapping/type.cpp"
echo 'int is_hyper_x_grid(); HyperXGrid g;' >"$tree/netmodels/models/torus/other.cpp"
echo "char c = '\"'; spec.starts_with(\"mesh:\"); kind == \"FAT_TREE\"" >"$tree/cli/prefix.cpp"
echo 'make("torus:8x8")' >"$tree/sim/mapping/spec.cpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with violations"
  exit 1
fi
for expected in 'cli/include.cpp names the folder torus' 'sim/mapping/type.cpp names FatTreeSpec' \
  'netmodels/models/torus/other.cpp names HyperXGrid' \
  'netmodels/models/torus/other.cpp names is_hyper_x_grid' 'cli/prefix.cpp names "mesh:"' \
  'cli/prefix.cpp names "FAT_TREE"' 'sim/mapping/spec.cpp names "torus:8x8"'; do
  grep -qxF "$expected" <<<"$output" || {
    echo "not reported: $expected"
    exit 1
  }
done
[ "$(wc -l <<<"$output")" = 7 ]

rm -r "$tree/netmodels/models/hyperx"
if "$checker" "$tree" 2>/dev/null; then
  echo "the checker passed a tree without its networks"
  exit 1
fi

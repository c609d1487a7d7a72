#!/usr/bin/env bash
# The checker of type names must fail on a tree with two types of one name, and say where they are.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_type_names.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{topology,netmodels,sim}
printf 'namespace vtopo::detail {\nclass Twice {\n};\nstruct Once {};\n}  // namespace vtopo::detail\n' >"$tree/topology/a.hpp"
printf 'namespace vtopo::detail {\nclass Once;\nstruct Twice final : Once {\n};\n}\n' >"$tree/sim/b.hpp"
# Another namespace, an unnamed one, and a type inside of another are allowed.
printf 'namespace vtopo::detail::other {\nclass Twice {\n  struct Once {};\n};\n}\n' >"$tree/sim/c.hpp"
printf 'namespace vtopo::detail {\nnamespace {\nstruct Once {\n};\n}  // namespace\nenum class Late {\n};\n}\n' >"$tree/netmodels/d.cpp"
printf 'namespace vtopo::detail {\nenum class Late : int {\n};\n}\n' >"$tree/netmodels/e.hpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with two violations"
  exit 1
fi
for expected in "vtopo::detail::Twice is defined in sim/b.hpp topology/a.hpp" \
  "vtopo::detail::Late is defined in netmodels/d.cpp netmodels/e.hpp"; do
  grep -qxF "$expected" <<<"$output" || { echo "not reported: $expected"; exit 1; }
done
[ "$(wc -l <<<"$output")" -eq 2 ] || { echo "reported, too: $output"; exit 1; }

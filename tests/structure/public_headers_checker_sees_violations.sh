#!/usr/bin/env bash
# The checker of public headers must fail on a tree that breaks its rules, and say where.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_public_headers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/.cmake "$tree"/topology
printf 'topology/open.hpp\ntopology/gone.hpp\n' >"$tree/.cmake/public_headers.txt"
printf '#include "topology/hidden.hpp"\nint f();\n' >"$tree/topology/open.hpp"
printf 'namespace vtopo {\nclass Open;\n}  // namespace vtopo\nnamespace vtopo::detail {\nint g();\n}\n' >"$tree/topology/hidden.hpp"
printf 'namespace vtopo {\nint h();\n}  // namespace vtopo\n' >"$tree/topology/loud.hpp"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with four violations"
  exit 1
fi
for expected in "names topology/gone.hpp" "topology/open.hpp is public and includes topology/hidden.hpp" \
  "0 of 2 lines" "topology/loud.hpp is not public and declares names"; do
  grep -qF "$expected" <<<"$output" || { echo "not reported: $expected"; exit 1; }
done
! grep -q "hidden.hpp is not public" <<<"$output" || { echo "a forward declaration was reported"; exit 1; }

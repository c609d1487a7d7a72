#!/usr/bin/env bash
# The checker of words must fail on a tree whose texts use words of the glossary's left side, and say where.
# Comments, includes, words inside words and released parts of the changelog are no violations.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_words.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{cli,sim/report/page/scripts,netmodels,topology}
cat >"$tree/sim/fail.cpp" <<'TEXT'
#include "sim/seats.hpp"
// "a host out of order" in a comment
fail("the host is out of order", "there is no host", "it is no longer there", "headrooms");
TEXT
echo 'fail("\"x\" is no number");' >"$tree/topology/read.hpp"
echo 'label = "two seats";' >"$tree/sim/report/page/scripts/page.js"
printf 'Two-rooms\n\nThe rooms are platforms/two-rooms.xml.\n' >"$tree/netmodels/README.md"
printf '# Changelog\n\n## [0.2.0] - unreleased\n- A table for people.\n\n## [0.1.0] - 2026-11-22\n- It heeds.\n' >"$tree/CHANGELOG.md"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with five violations"
  exit 1
fi
expected='CHANGELOG.md:4:- A table for people. (write: human-readable)
netmodels/README.md:3:The rooms are platforms/two-rooms.xml. (write: modules, folders)
sim/fail.cpp:3:"the host is out of order" (write: down, failed)
sim/report/page/scripts/page.js:1:label = "two seats"; (write: slot)
topology/read.hpp:1:"\"x\" is no number" (write: is not a)'
[ "$(LC_ALL=C sort <<<"$output")" = "$expected" ] || { echo "reported: $output"; exit 1; }

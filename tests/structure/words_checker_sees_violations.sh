#!/usr/bin/env bash
# The checker of words must fail on a tree whose texts and comments use words of the glossary's left side, and say
# where. Includes, names in backticks, words inside words, quoted code in scripts and released parts of the changelog
# are allowed, and so are in literals the words that only prose must not have.
set -euo pipefail
checker=$(cd "$(dirname "$0")" && pwd)/check_words.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{cli,sim/draw/page,netmodels,topology,tests}
cat >"$tree/sim/fail.cpp" <<'TEXT'
#include "sim/seats.hpp"
fail("the host is out of order", "there is no host", "it is no longer there", "headrooms");
fail("taken by nobody");  // it tells links apart, and `seats` stay
TEXT
{
  printf '/// A %s of a host.\n' seat
  printf 'int x = 0;  // %s people\nchar quote = \047"\047;  /* a heap of\n   %s */ int y = 0;\n' for twins
  printf 'int z = 0;  ///< what `told` %s\n' tells
} >"$tree/netmodels/comments.hpp"
printf 'const char* url = "// %s https://%s.org";\n' heeds twins >"$tree/tests/url.cpp"
printf '#!/bin/sh\n# A %s.\necho "# %s" ${#x}  # %s\n' seat twins crumbs >"$tree/tests/run.sh"
printf 'set(x 1)  # it %s nothing\n' pays >"$tree/tests/CMakeLists.txt"
echo 'fail("\"x\" is no number");' >"$tree/topology/read.hpp"
echo 'label = "two seats";' >"$tree/sim/draw/page/page.js"
printf 'Two-rooms\n\nThe rooms are platforms/two-rooms.xml.\n' >"$tree/netmodels/README.md"
printf '# Changelog\n\n## [0.2.0] - unreleased\n- A table for people.\n\n## [0.1.0] - 2026-11-22\n- It heeds.\n' >"$tree/CHANGELOG.md"
if output=$("$checker" "$tree"); then
  echo "the checker passed a tree with violations"
  exit 1
fi
expected='CHANGELOG.md:4:- A table for people. (write: human-readable)
netmodels/README.md:3:The rooms are platforms/two-rooms.xml. (write: modules, folders)
netmodels/comments.hpp:1:/// A seat of a host. (write: slot)
netmodels/comments.hpp:2:// for people (write: human-readable)
netmodels/comments.hpp:4:   twins */ int y = 0; (write: duplicates, symmetric hosts)
netmodels/comments.hpp:5:///< what `` tells (write: reports, says)
sim/draw/page/page.js:1:label = "two seats"; (write: slot)
sim/fail.cpp:2:"the host is out of order" (write: down, failed)
tests/CMakeLists.txt:1:# it pays nothing (write: costs nothing)
tests/run.sh:2:# A seat. (write: slot)
tests/run.sh:3:# crumbs (write: negligible gains)
topology/read.hpp:1:"\"x\" is no number" (write: is not a)'
[ "$(LC_ALL=C sort <<<"$output")" = "$expected" ] || { diff <(LC_ALL=C sort <<<"$output") - <<<"$expected"; exit 1; }

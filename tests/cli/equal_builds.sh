#!/usr/bin/env bash
# Builds the command once more, otherwise, and compares what both write: equal_bytes.sh with two
# builds. By hand, as it compiles everything: equal_builds.sh VTOPO SOURCES [COMPILER [FLAGS]], by
# default clang++ -O0 against what release builds have.
set -euo pipefail
vtopo=$1
sources=$2
compiler=${3:-clang++}
flags=${4:--O0}
build=$sources/build/equal-$(basename "$compiler")${flags// /}
cmake -S "$sources" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_UNITY_BUILD=ON -DVTOPO_BUILD_TESTS=OFF \
  -DVTOPO_WARNINGS_AS_ERRORS=OFF >/dev/null
cmake --build "$build" --target vtopo
"$sources/tests/cli/equal_bytes.sh" "$vtopo" "$sources" "$build/bin/vtopo"

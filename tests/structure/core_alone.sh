#!/usr/bin/env bash
# The core configures, and its headers compile, in a tree without any wing, where its lines are counted, too; with --long it
# also builds there and its tests pass. Arguments: the source folder, the compiler.
set -euo pipefail
. "$(dirname "$0")/../support/needs.sh"
source=$1
compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./cli --exclude=./netmodels/fabric --exclude=./netmodels/ideal --exclude=./netmodels/more_models --exclude=./netmodels/platform --exclude=./netmodels/process --exclude=./netmodels/simgrid \
  --exclude=./sim/bounds --exclude=./sim/report --exclude=./sim/formats --exclude=./sim/clock/simgrid --exclude=./sim/mapping/adapters --exclude=./sim/mapping/more_mappers --exclude=./sim/mapping/plugin --exclude=./sim/draw --exclude=./sim/study --exclude=./sim/check --exclude=./sim/research --exclude=./sim/mpi \
  --exclude=./sim/record --exclude=./sim/python -cf - . | tar -C "$work" -xf -
cd "$work"
tests/structure/check_core_size.sh .
cmake --preset release -DVTOPO_WINGS=OFF -DCMAKE_CXX_COMPILER="$compiler" >configured 2>&1 || { cat configured; exit 1; }
find topology netmodels sim -name '*.hpp' -printf '#include "%p"\n' | LC_ALL=C sort >headers.cpp
[ -s headers.cpp ]
"$compiler" -std=c++20 -fsyntax-only -DFMT_SHARED -I. headers.cpp
if [ -n "${VTOPO_LONG_TESTS:-}" ]; then
  cmake --build --preset release
  ctest --test-dir build/release -j2 --output-on-failure
fi

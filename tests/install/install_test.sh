#!/usr/bin/env bash
# Installs the build tree, builds the library example against it with find_package and runs it.
# Arguments: build folder, source folder, C++ compiler, C++ flags.
set -euo pipefail
build=$1 source=$2 compiler=$3 flags=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$source/examples/library" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
targets=(run_scenario cannon graph_algorithms)
if [ -n "${VTOPO_LONG_TESTS:-}" ] || ! command -v pkg-config >/dev/null; then
  targets+=(compare_two_mappers)
fi
cmake --build "$work/build" --target "${targets[@]}" >/dev/null
diff -u "$source/tests/install/run_scenario.expected.txt" <("$work/build/run_scenario")
diff -u "$source/tests/install/cannon.expected.txt" <("$work/build/cannon")
diff -u "$source/tests/install/graph_algorithms.expected.txt" <("$work/build/graph_algorithms")
if [ -x "$work/build/compare_two_mappers" ]; then
  diff -u "$source/tests/install/expected.txt" <("$work/build/compare_two_mappers")
fi
# The readers of platform files and of listings are there for who links them, although nothing names them.
cmake -S "$source/tests/install/platform_reader" -B "$work/reader" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
cmake --build "$work/reader" >/dev/null
platform=$source/platforms/two-rooms.xml listing=$source/examples/machines/topology.conf
[ "$("$work/reader/with_platform" "$platform")" = "7 hosts" ]
"$work/reader/core_alone" "$platform" | grep -q '^a platform file of SimGrid needs the library vtopo::platform'
hosts=$("$work/prefix/bin/vtopo" platform describe "$listing" --format json | grep -oP '"hosts": \K[0-9]+' | head -1)
[ "$("$work/reader/with_platform" "$listing")" = "$hosts hosts" ]
"$work/reader/core_alone" "$listing" | grep -q 'needs the library vtopo::formats'
# The fourth by pkg-config, which finds the same headers and libraries.
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  # shellcheck disable=SC2046,SC2086  # words
  "$compiler" -std=c++20 $flags "$source/examples/library/compare_two_mappers.cpp" -o "$work/by_pkg_config" \
    $(pkg-config --cflags --libs --static vtopo)
  diff -u "$source/tests/install/expected.txt" <("$work/by_pkg_config")
  # shellcheck disable=SC2046,SC2086
  "$compiler" -std=c++20 $flags "$source/tests/install/platform_reader/platform_reader.cpp" -o "$work/reader_by_pkg_config" \
    $(pkg-config --cflags --libs --static vtopo)
  [ "$("$work/reader_by_pkg_config" "$platform")" = "7 hosts" ]
  [ "$("$work/reader_by_pkg_config" "$listing")" = "$hosts hosts" ]
fi
for file in scenario sweep_plan; do [ -s "$work/prefix/share/vtopo/$file.schema.json" ]; done
for file in state.h traffic.c README.md; do [ -s "$work/prefix/share/vtopo/record/$file" ]; done
"$work/prefix/bin/vtopo" --version
"$work/prefix/bin/vtopo" machines --format json | grep -qF "\"path\": \"$work/prefix/share/vtopo/platforms/lumi.xml\""
(cd "$work" && "$work/prefix/bin/vtopo" platform describe lumi >/dev/null)
for file in bash-completion/completions/vtopo zsh/site-functions/_vtopo \
  fish/vendor_completions.d/vtopo.fish man/man1/vtopo.1 man/man1/vtopo-platform-route.1; do
  [ -s "$work/prefix/share/$file" ]
done
"$source/tests/cli/plugin_example.sh" "$work/prefix/bin/vtopo" "$source" "$work/prefix" \
  "$source/tests/cli/plugin_example.txt"

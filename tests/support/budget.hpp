#pragma once

#include <cstdlib>

namespace vtopo::tests {

/// Whether this run tries every random case: `tests/run.sh --long`, which sets VTOPO_LONG_TESTS.
inline bool long_tests() {
  const char* value = std::getenv("VTOPO_LONG_TESTS");
  return value != nullptr && *value != '\0';
}

/// Number of cases of a property: the first `few` of them, or all `many` in a long run. Cases that
/// count up their seeds are the same in both, so that a long run tries those of a short one and
/// more.
template <typename Count>
Count budget(Count few, Count many) {
  return long_tests() ? many : few;
}

}  // namespace vtopo::tests

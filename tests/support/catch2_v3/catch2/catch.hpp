#pragma once

// Catch2 3 under the names of Catch2 2, which the tests use. On the include path where Catch2 3 is
// found.

#include <catch2/catch_all.hpp>

#include <string>

using Catch::Approx;

namespace Catch {

using Matchers::EndsWith;
using Matchers::Equals;
using Matchers::StartsWith;

/// Matches strings that contain the text.
inline Matchers::StringContainsMatcher Contains(const std::string& text) {
  return Matchers::ContainsSubstring(text);
}

}  // namespace Catch

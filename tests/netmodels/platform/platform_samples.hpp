#pragma once

#include <string>

#include "tests/support/folders.hpp"

namespace vtopo::tests {

/// Path of a platform in the folder platforms/ of these tests, named without `.xml`.
inline std::string platform_sample(const std::string& name) {
  return source_path("tests/netmodels/platform/platforms/" + name + ".xml");
}

}  // namespace vtopo::tests

#pragma once

#include <string>

#include "tests/support/folders.hpp"

/// Path of a test input.
inline std::string data(const std::string& name) {
  return vtopo::tests::source_path("tests/topology/data/" + name);
}

#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/folders.hpp"

namespace vtopo {

/// A file of the measured machines beside the sources or in the folder of the environment's
/// VTOPO_SHARED_DATA, such as `measured/runs.csv`.
inline std::ifstream measured_file(const std::string& name) {
  const char* folder = std::getenv("VTOPO_SHARED_DATA");
  return std::ifstream((folder != nullptr ? folder : tests::source_path("../shared/data")) + "/" +
                       name);
}

}  // namespace vtopo

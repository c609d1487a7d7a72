#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/support/folders.hpp"

namespace vtopo::tests {

/// Writes a file into the folder of the process (see own_folder), where it stays until the end of
/// the process. @returns its path.
inline std::string write_file(const std::string& name, std::string_view content) {
  std::string path = own_folder() + '/' + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

/// File in the folder of the process that goes away with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, std::string_view content)
      : path_(write_file("temporary-" + name, content)) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Bytes of a file; empty if it cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace vtopo::tests

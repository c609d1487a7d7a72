#pragma once

#include <filesystem>
#include <fstream>
#include <string>

/// File in the build folder that goes away with the test; each test takes a name of its own.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::string(VTOPO_BINARY_DIR) + "/temporary-" + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

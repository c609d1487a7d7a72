#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/own_folder.hpp"

/// File in the folder of the process (see own_folder) that goes away with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(vtopo::tests::own_folder() + "/temporary-" + name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

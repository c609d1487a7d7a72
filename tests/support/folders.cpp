// The one source that knows where the project lies: the object files of all others are the same in
// every checkout.
#include "tests/support/folders.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace vtopo::tests {

namespace {

struct OwnFolder {
  OwnFolder() : path(VTOPO_BINARY_DIR "/test-XXXXXX"), owner(getpid()) {
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make " + path);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code ignored;
    if (owner == getpid()) std::filesystem::remove_all(path, ignored);  // not in forked children
  }

  std::string path;
  pid_t owner;
};

}  // namespace

std::string source_path(std::string_view name) {
  return std::string(VTOPO_SOURCE_DIR "/").append(name);
}

const std::string& own_folder() {
  static const OwnFolder folder;
  return folder.path;
}

}  // namespace vtopo::tests

#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace vtopo::tests {

/// Folder in the build folder that this process alone writes to, gone at its end: cases of one
/// program run side by side as processes of their own, so a fixed name would be shared.
inline const std::string& own_folder() {
  static const struct Folder {
    Folder() : path(VTOPO_BINARY_DIR "/test-XXXXXX"), owner(getpid()) {
      if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make " + path);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
      std::error_code ignored;
      if (owner == getpid()) std::filesystem::remove_all(path, ignored);  // not in forked children
    }
    std::string path;
    pid_t owner;
  } folder;
  return folder.path;
}

}  // namespace vtopo::tests

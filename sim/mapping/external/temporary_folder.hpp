#pragma once

#include <string>

namespace vtopo {

/// Fresh folder for files of one owner, readable by the user alone, that goes away with its object.
class TemporaryFolder {
 public:
  /// @throws InputError if it cannot be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace vtopo

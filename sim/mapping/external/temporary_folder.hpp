#pragma once

#include <optional>
#include <string>

#include "netmodels/process/temporary_files.hpp"

namespace vtopo::detail {

/// Fresh folder for files of one owner, readable by the user alone, that goes away with its
/// object, and with the process where it calls `remove_temporary_files`. It has no folders in it.
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
  std::optional<TemporaryPath> removed_at_end_;
};

}  // namespace vtopo::detail

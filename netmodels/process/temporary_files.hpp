#pragma once

#include <csignal>

#include <optional>
#include <string>

namespace vtopo::detail {

/// Path of a temporary file, or of a folder of files, that is nobody's once this process has ended.
/// While this object lives, `remove_temporary_files` removes it; the owner removes it otherwise.
/// Beyond 64 at a time they are not remembered.
class TemporaryPath {
 public:
  explicit TemporaryPath(std::string path);
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath();

 private:
  std::string path_;
};

/// Removes what this process would leave behind; forked copies of it remove nothing. Calls only
/// what signal handlers may call.
void remove_temporary_files() noexcept;

/// While it lives, this thread handles no signal that ends programs.
class SignalPause {
 public:
  SignalPause();
  SignalPause(const SignalPause&) = delete;
  SignalPause& operator=(const SignalPause&) = delete;
  ~SignalPause();

 private:
  sigset_t before_{};
};

/// Fresh folder for files of one owner, readable by the user alone, that goes away with its
/// object, and with the process where it calls `remove_temporary_files`. It has no folders in it.
class TemporaryFolder {
 public:
  /// @throws InputError if it cannot be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  std::optional<TemporaryPath> removed_at_end_;
};

}  // namespace vtopo::detail

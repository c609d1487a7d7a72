#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/output/colour.hpp"
#include "cli/output/output.hpp"
#include "cli/output/printable.hpp"
#include "cli/output/write_all.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

namespace fs = std::filesystem;

constexpr mode_t permission_bits = 07777;
constexpr int max_symlinks = 40;  // as Linux allows

/// Path as the user gave it, for messages.
using GivenPath = const std::string&;

[[noreturn]] void fail(GivenPath path, int error) {
  const std::string name = path == "-" ? "standard output" : fmt::format("\"{}\"", path);
  throw InputError(
      fmt::format("cannot write {}: {}", name, std::generic_category().message(error)));
}

/// Result of a system call. @throws InputError if it is -1.
int checked(int result, GivenPath path) {
  if (result == -1) fail(path, errno);
  return result;
}

void write_all(int descriptor, std::string_view text, GivenPath path) {
  if (!detail::write_all(descriptor, text)) fail(path, errno);
}

/// New file beside the target; gone again unless it became the target.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& folder, GivenPath path) {
    const SignalPause pause;
    for (int attempt = 0; attempt < 100; ++attempt) {
      name_ = folder / fmt::format(".vtopo-{}-{}.tmp", ::getpid(), attempt);
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ != -1) {
        temporary_.emplace(name_);
        return;
      }
      if (errno != EEXIST) break;
    }
    fail(path, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ != -1) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }

  int descriptor() const { return descriptor_; }

  void become(const fs::path& target, GivenPath path) {
    checked(::fsync(descriptor_), path);
    const int descriptor = descriptor_;
    descriptor_ = -1;
    // Network file systems may report a full disk only here.
    checked(::close(descriptor), path);
    checked(::rename(name_.c_str(), target.c_str()), path);
    renamed_ = true;
  }

 private:
  fs::path name_;
  std::optional<TemporaryPath> temporary_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

/// Makes the new name in `folder` survive a crash, as far as the file system can.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor == -1) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Last file of a chain of symbolic links, so that the links stay.
fs::path resolved(fs::path path) {
  std::error_code ignored;
  for (int link = 0; link < max_symlinks && fs::is_symlink(path, ignored); ++link)
    path = path.parent_path() / fs::read_symlink(path, ignored);
  return path;
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// @param existing status of the file that is replaced, if there is one.
void replace_file(const fs::path& target, const std::optional<struct stat>& existing,
                  std::string_view text, GivenPath path) {
  const fs::path folder = folder_of(target);
  if (existing) checked(::access(target.c_str(), W_OK), path);
  TemporaryFile file(folder, path);
  if (existing) {
    // Only root may give a file away; for everyone else the writer owns it, as an editor would.
    const bool given = ::fchown(file.descriptor(), existing->st_uid, existing->st_gid) == 0;
    const mode_t kept = given ? permission_bits : permission_bits & ~mode_t{S_ISUID | S_ISGID};
    checked(::fchmod(file.descriptor(), existing->st_mode & kept), path);
  }
  write_all(file.descriptor(), text, path);
  file.become(target, path);
  sync_folder(folder);
}

void write_directly(std::string_view text, GivenPath path) {
  const int descriptor = checked(::open(path.c_str(), O_WRONLY | O_CLOEXEC), path);
  try {
    write_all(descriptor, text, path);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  checked(::close(descriptor), path);
}

/// Descriptor of this process that a path stands for: opening it anew would write a redirected file
/// from its start.
std::optional<int> own_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const auto number = parse_integer(path.substr(folder.size()));
    if (number && std::in_range<int>(*number)) return narrow<int>(*number);
  }
  return std::nullopt;
}

}  // namespace

void check_output(const std::string& path) {
  if (own_descriptor(path)) return;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
    checked(::access(path.c_str(), W_OK), path);
    if (!S_ISREG(status.st_mode)) return;
  } else if (errno != ENOENT) {
    fail(path, errno);
  }
  checked(::access(folder_of(resolved(path)).c_str(), W_OK | X_OK), path);
}

void check_rank_times(const std::string& path, const std::string& output) {
  if (path.empty()) return;
  check_output(path);
  if (path == output)
    throw UsageError(fmt::format("--rank-times and --output are both \"{}\"", output));
}

void check_not_input(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code none;
  for (const std::string& input : inputs)
    if (!input.empty() && std::filesystem::equivalent(input, output, none))
      throw UsageError(fmt::format("\"{}\" is an input: the output needs another name", output));
}

void write_output(const std::string& path, std::string_view text) {
  if (const auto descriptor = own_descriptor(path)) {
    std::fflush(nullptr);
    if (*descriptor > STDERR_FILENO) return write_all(*descriptor, text, path);
    return write_all(*descriptor, printable(text, stdout_may_have_colour()), path);
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(path, errno);
    return replace_file(resolved(path), std::nullopt, text, path);
  }
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(status.st_mode)) return write_directly(text, path);
  replace_file(resolved(path), status, text, path);
}

}  // namespace vtopo::detail

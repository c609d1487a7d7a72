#include "cli/output/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "cli/output/console.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "topology/base/error.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t narrowest = 40, widest = 500;

/// Bytes of a control character at the start of a text, in UTF-8: those below the blank, delete,
/// and U+0080 to U+009F.
std::size_t control_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < ' ' || byte(0) == 0x7f) return 1;
  return text.size() > 1 && byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

/// The sequence of `Ink` that a text begins with; may be empty.
std::string_view ink(std::string_view text) {
  for (const std::string_view sequence : {"\x1b[0m", "\x1b[1m", "\x1b[2m"})
    if (text.starts_with(sequence)) return sequence;
  return {};
}

/// Text as a terminal can show it: names from files may hold control characters, which it would
/// obey, and which become `\u001b`. Line feeds and tabs stay.
/// @param may_have_colour whether the sequences of `Ink` stay, too.
std::string printable(std::string_view text, bool may_have_colour) {
  std::string result;
  while (!text.empty()) {
    const std::string_view kept = may_have_colour ? ink(text) : std::string_view();
    const std::size_t control = kept.empty() ? control_bytes(text) : 0;
    if (control == 0 || text[0] == '\n' || text[0] == '\t')
      result += text.substr(0, std::max<std::size_t>(kept.size(), 1));
    else
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[control - 1]));
    text.remove_prefix(std::max({kept.size(), control, std::size_t{1}}));
  }
  return result;
}

/// The sentence on one line of bearable length.
std::string on_one_line(std::string_view sentence) {
  constexpr std::size_t longest = 2000, kept = 900;
  std::string text;
  for (const char c : printable(sentence, false)) {
    if (static_cast<unsigned char>(c) < ' ')
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  if (text.size() <= longest) return text;
  return text.substr(0, kept) + " ... " + text.substr(text.size() - kept);
}

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

TextStyle text_style() {
  const char* columns = std::getenv("COLUMNS");
  const auto width = columns != nullptr ? parse_integer(columns) : std::nullopt;
  if (!width || *width <= 0) return {};
  return {static_cast<std::size_t>(std::clamp(*width, narrowest, widest)), false};
}

void check_format(const std::string& name, std::span<const std::string> accepted) {
  if (std::find(accepted.begin(), accepted.end(), name) == accepted.end())
    throw UsageError(fmt::format("unknown output format \"{}\"; accepted: {}{}", name,
                                 fmt::join(accepted, ", "), suggestion(name, accepted)));
}

OutputFormat parse_output_format(const std::string& name) {
  check_format(name, std::array<std::string, 3>{"table", "csv", "json"});
  return name == "table" ? OutputFormat::table
         : name == "csv" ? OutputFormat::csv
                         : OutputFormat::json;
}

OutputFormat output_format_of(std::string_view path) {
  if (path == "-") return OutputFormat::table;
  const std::string extension = lower_case(std::filesystem::path(path).extension().string());
  if (extension == ".txt") return OutputFormat::table;
  if (extension == ".csv") return OutputFormat::csv;
  if (extension == ".json") return OutputFormat::json;
  throw UsageError(fmt::format("output file \"{}\" has {}; accepted: .txt, .csv, .json", path,
                               extension.empty()
                                   ? "no extension that names a format"
                                   : fmt::format("the unknown extension \"{}\"", extension)));
}

OutputFormat choose_output_format(const std::optional<std::string>& name,
                                  const std::optional<std::string>& path) {
  if (name) return parse_output_format(*name);
  return path ? output_format_of(*path) : OutputFormat::table;
}

void say(std::string_view sentence) noexcept {
  try {
    std::string line = "vtopo: " + on_one_line(sentence) + '\n';
    if (::isatty(STDERR_FILENO) == 1) line = folded(line, text_style().width);
    std::fflush(stdout);
    std::fputs(line.c_str(), stderr);
  } catch (...) {
    std::fputs("vtopo: an error that there is no memory to describe\n", stderr);
  }
}

std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string shell_word(const std::string& text) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+,=:").find(c) != std::string_view::npos;
  });
  return is_plain ? text : shell_quoted(text);
}

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

void check_side_file(std::string_view option, const std::string& path, const std::string& output) {
  if (path.empty()) return;
  check_output(path);
  if (path == output)
    throw UsageError(fmt::format("{} and --output are both \"{}\"", option, output));
}

void check_not_input(const std::vector<std::string>& outputs,
                     const std::vector<std::string>& inputs) {
  std::error_code none;
  for (const std::string& output : outputs)
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

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0)
      text.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

}  // namespace vtopo::detail

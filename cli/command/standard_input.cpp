#include "cli/command/standard_input.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/output/write_all.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

namespace {

[[noreturn]] void fail(std::string_view what) {
  throw InputError(
      fmt::format("standard input cannot be {}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

StandardInputFile::StandardInputFile() {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  path_ = (error ? std::filesystem::path("/tmp") : folder) / "vtopo-input-XXXXXX";
  const int descriptor = make_file();
  try {
    copy(descriptor);
  } catch (...) {
    ::close(descriptor);
    ::unlink(path_.c_str());
    throw;
  }
  ::close(descriptor);
}

StandardInputFile::~StandardInputFile() {
  ::unlink(path_.c_str());
}

int StandardInputFile::make_file() {
  const SignalPause pause;
  const int descriptor = ::mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor == -1) fail("kept in a temporary file");
  temporary_.emplace(path_);
  return descriptor;
}

void StandardInputFile::copy(int descriptor) const {
  std::array<char, 65536> buffer{};
  std::uintmax_t total = 0;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count == 0) return;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read");
    total += static_cast<std::uintmax_t>(count);
    if (total > LineFile::max_file_bytes)
      throw InputError(fmt::format("standard input has more than {} bytes; accepted are up to that",
                                   LineFile::max_file_bytes));
    if (!write_all(descriptor, {buffer.data(), static_cast<std::size_t>(count)}))
      fail("kept in a temporary file");
  }
}

std::string StandardInputFile::with_its_name(std::string sentence) const {
  for (auto at = sentence.find(path_); at != std::string::npos; at = sentence.find(path_, at))
    sentence.replace(at, path_.size(), "standard input");
  return sentence;
}

}  // namespace vtopo::detail

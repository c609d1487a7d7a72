#include "netmodels/process/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "topology/base/error.hpp"

namespace vtopo::detail {

void OwnedDescriptor::reset(int descriptor) {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = descriptor;
}

MemoryFile::MemoryFile(const std::string& text) : descriptor_(memfd_create("vtopo", MFD_CLOEXEC)) {
  std::size_t written = 0;
  while (descriptor() >= 0 && written < text.size()) {
    const ssize_t count = write(descriptor(), text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) break;
    written += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  if (descriptor() < 0 || written < text.size())
    throw SimulationError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
}

std::string MemoryFile::text(std::size_t max_bytes) const {
  const auto size = static_cast<std::size_t>(std::max<off_t>(0, lseek(descriptor(), 0, SEEK_END)));
  std::string text(std::min(size, max_bytes), '\0');
  const std::size_t start = size - text.size();
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t count =
        pread(descriptor(), text.data() + got, text.size() - got, static_cast<off_t>(start + got));
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
  }
  text.resize(got);
  if (start == 0) return text;
  const std::size_t line_end = text.find('\n');
  return line_end == text.npos ? std::string() : text.substr(line_end + 1);
}

}  // namespace vtopo::detail

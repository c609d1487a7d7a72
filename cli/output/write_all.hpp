#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace vtopo::detail {

/// Writes all of a text, which may take several calls of the system.
/// @return whether it could; if not, `errno` says why.
inline bool write_all(int descriptor, std::string_view text) {
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

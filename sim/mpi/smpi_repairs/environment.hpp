#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace vtopo::detail {

// What libraries without options of their own read and write: variables, and lines of JSON.

/// Value of a variable of the environment; empty if it is not set.
inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A text as JSON has it, with its quotation marks.
inline std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) < 0x20)
      result += fmt::format("\\u{:04x}", letter);
    else
      result += letter;
  }
  return result + '"';
}

}  // namespace vtopo::detail

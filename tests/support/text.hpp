#pragma once

#include <string_view>

namespace vtopo::tests {

/// Whether `part` stands in `text`.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace vtopo::tests

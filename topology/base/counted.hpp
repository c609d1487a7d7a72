#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace vtopo::detail {

/// `1 rank`, `3 ranks`, `2 switches`: a count with its noun in human-readable texts.
/// @param noun in the singular; may have words in front.
template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : hisses ? "es" : "s");
}

}  // namespace vtopo::detail

#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "topology/base/line_file.hpp"

namespace vtopo::detail {

/// A heading as its letters and digits alone, in small ones: `Rank ID` and `"rank_id"` are
/// `rankid`. What stands in brackets, as in `volume [bytes]`, is left out.
inline std::string plain_heading(std::string_view text) {
  std::string plain;
  for (const char c : text.substr(0, text.find_first_of("[(")))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

/// Column of the first of these headings that a header has; nothing if it has none.
template <class Names>
std::optional<std::size_t> find_column(std::span<const Token> header, const Names& names) {
  for (const std::string_view name : names)
    for (std::size_t column = 0; column < header.size(); ++column)
      if (plain_heading(header[column].text) == name) return column;
  return std::nullopt;
}

/// Headings of tables of ranks on hosts.
inline constexpr std::array<std::string_view, 5> rank_headings{"rank", "mpirank", "task", "taskid",
                                                               "process"};
inline constexpr std::array<std::string_view, 4> host_headings{"host", "hostname", "node",
                                                               "nodename"};
inline constexpr std::array<std::string_view, 2> slot_headings{"slot", "slotid"};

/// Whether a heading is that of the numbers of lines, as tables of data frames have one.
inline bool is_index_column(const Token& heading) {
  const std::string plain = plain_heading(heading.text);
  return plain.empty() || plain == "index" || plain == "unnamed0";
}

}  // namespace vtopo::detail

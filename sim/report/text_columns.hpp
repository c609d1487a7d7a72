#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo::detail {

enum class Align { left, right };

/// Column of a human-readable table.
struct TextColumn {
  std::string group;    ///< written above adjacent columns that share it; may be empty
  std::string heading;  ///< may be empty
  std::vector<std::string> cells;
  Align align = Align::right;
};

/// Characters that `text` (UTF-8) takes on a line.
std::size_t text_width(std::string_view text);

/// Lines of a table: the groups if there are any, the headings, then one line per cell of the first
/// column. No line ends in blanks.
std::vector<std::string> lay_out(std::span<const TextColumn> columns);

}  // namespace vtopo::detail

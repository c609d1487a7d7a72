#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.hpp"

namespace vtopo::detail {

/// Emphasis on a terminal, line by line; plain text unless `colour`.
struct Ink {
  bool colour = false;

  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
};

enum class Align { left, right };

/// Column of a table.
struct TextColumn {
  std::string group;    ///< written above adjacent columns that share it; may be empty
  std::string heading;  ///< may be empty
  std::vector<std::string> cells;
  Align align = Align::right;  ///< text is on the left and may take several lines
};

/// Columns that `text` (UTF-8) takes on a line of a terminal.
std::size_t text_width(std::string_view text);

/// What a table looks like as text.
struct TableLook {
  TextStyle style = {};
  std::size_t indent = 0;                    ///< blanks before each line
  std::optional<std::size_t> bold_row = {};  ///< emphasised; none without colour
};

/// A table as text: the groups if there are any, the headings, then the cells. Where it is wider
/// than the style allows, first headings and text are broken into lines, then the columns behind
/// the leading ones of text go to blocks of their own. No line ends in blanks, no cell is cut.
std::string text_table(std::span<const TextColumn> columns, const TableLook& look = {});

/// Every line of a text in lines of at most `width` columns, broken at blanks, or within words that
/// are longer than a line; what follows a break is indented.
std::string folded(std::string_view text, std::size_t width, std::size_t indent = 2);

/// `key    value` and a line feed; the value begins in column `column` + 1 of each line.
std::string key_line(std::string_view key, std::size_t column, std::string_view value,
                     std::size_t width);

/// A command of a shell in lines of at most `width` columns where it has blanks: each but the last
/// ends in a backslash, so that it can be pasted. Words in single quotes are not broken.
std::string folded_command(std::string_view command, std::size_t width);

}  // namespace vtopo::detail

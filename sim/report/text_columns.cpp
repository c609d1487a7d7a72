#include "sim/report/text_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace vtopo::detail {

namespace {

constexpr std::string_view gap = "  ";

/// Columns first..last of one group, and how wide they are with the gaps between them.
struct Span {
  std::size_t first;
  std::size_t last;
  std::size_t width;
};

/// Names from files may hold control characters, which a terminal would obey.
std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return result;
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, text_width(text)), ' ');
  return align == Align::left ? printable(text) + blanks : blanks + printable(text);
}

bool same_group(const TextColumn& a, const TextColumn& b) {
  return !a.group.empty() && a.group == b.group;
}

std::vector<std::size_t> natural_widths(std::span<const TextColumn> columns) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns) {
    std::size_t width = text_width(column.heading);
    for (const auto& cell : column.cells) width = std::max(width, text_width(cell));
    widths.push_back(width);
  }
  return widths;
}

std::vector<Span> spans_of(std::span<const TextColumn> columns,
                           const std::vector<std::size_t>& widths) {
  std::vector<Span> spans;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (column > 0 && same_group(columns[column - 1], columns[column])) {
      spans.back().last = column;
      spans.back().width += gap.size() + widths[column];
    } else {
      spans.push_back({column, column, widths[column]});
    }
  }
  return spans;
}

/// Widens the first column of every group that is narrower than its name.
void make_room_for_groups(std::span<const TextColumn> columns, std::vector<std::size_t>& widths) {
  for (const auto& span : spans_of(columns, widths)) {
    const std::size_t needed = text_width(columns[span.first].group);
    if (needed > span.width) widths[span.first] += needed - span.width;
  }
}

/// `--- hop-bytes ---`, as wide as the columns below.
std::string group_heading(const std::string& group, std::size_t width) {
  if (group.empty()) return std::string(width, ' ');
  const std::size_t length = text_width(group);
  if (width < length + 4) return padded(group, width, Align::right);
  const std::size_t dashes = width - length - 2;
  return fmt::format("{} {} {}", std::string(dashes / 2, '-'), group,
                     std::string(dashes - dashes / 2, '-'));
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string group_line(std::span<const TextColumn> columns,
                       const std::vector<std::size_t>& widths) {
  std::string line;
  for (const auto& span : spans_of(columns, widths))
    line += std::string(span.first > 0 ? gap : "") +
            group_heading(columns[span.first].group, span.width);
  return without_trailing_blanks(std::move(line));
}

}  // namespace

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::vector<std::string> lay_out(std::span<const TextColumn> columns) {
  std::vector<std::size_t> widths = natural_widths(columns);
  make_room_for_groups(columns, widths);
  const auto line_of = [&](auto text_of) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c)
      line +=
          std::string(c > 0 ? gap : "") + padded(text_of(columns[c]), widths[c], columns[c].align);
    return without_trailing_blanks(std::move(line));
  };
  std::vector<std::string> lines;
  if (const std::string groups = group_line(columns, widths); !groups.empty())
    lines.push_back(groups);
  lines.push_back(line_of([](const TextColumn& column) { return column.heading; }));
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row)
    lines.push_back(line_of([row](const TextColumn& column) { return column.cells[row]; }));
  return lines;
}

}  // namespace vtopo::detail

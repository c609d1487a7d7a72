#include "sim/report/text_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view gap = "  ";
constexpr std::size_t narrowest_text = 12;  ///< of a column, when tables get too wide

/// Bytes of the character that a text begins with, and the columns that it takes. A byte that is
/// not UTF-8 is a character.
struct Character {
  std::size_t bytes = 1, columns = 1;
};

/// Of the East Asian Width property of Unicode, the ranges whose characters take two columns.
bool is_wide(char32_t code) {
  static constexpr std::pair<char32_t, char32_t> ranges[] = {
      {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
      {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
      {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
  return std::any_of(std::begin(ranges), std::end(ranges), [code](const auto& range) {
    return code >= range.first && code <= range.second;
  });
}

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 1;
  if (bytes == 1 || text.size() < bytes) return {};
  char32_t code = byte(0) & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool combines = code >= 0x300 && code <= 0x36f;
  return {bytes, combines ? std::size_t{0} : is_wide(code) ? std::size_t{2} : std::size_t{1}};
}

/// Bytes of the longest beginning that takes at most so many columns; at least a character.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, columns = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    if (columns + next.columns > width && bytes > 0) break;
    bytes += next.bytes;
    columns += next.columns;
  }
  return bytes;
}

/// Names from files may hold control characters, which a terminal would obey.
std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return result;
}

/// Where a line ends that is too long: behind the last blank, else behind the last separator of its
/// second half, else where the width is over.
/// @param least bytes that a blank must have before it: behind a key no line ends.
std::size_t end_of_line(std::string_view text, std::size_t width, std::size_t least = 0) {
  const std::size_t most = bytes_within(text, width);
  if (most == text.size() || text[most] == ' ') return most;
  const auto behind_last = [&](std::string_view of) {
    const std::size_t at = text.substr(0, most).find_last_of(of);
    return at == std::string_view::npos ? 0 : at + 1;
  };
  const std::size_t first_word = text.find_first_not_of(' ');
  if (const std::size_t end = behind_last(" "); end > std::max(first_word, least)) return end;
  const std::size_t end = behind_last(",;:/+-_=|");
  return end > most / 2 ? end : most;
}

std::string_view without_blanks_at_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// The text in lines of at most so many columns each.
std::vector<std::string> lines_within(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text_width(text) > width) {
    const std::size_t end = end_of_line(text, width);
    lines.emplace_back(without_blanks_at_end(text.substr(0, end)));
    text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  }
  lines.emplace_back(text);
  return lines;
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::string blanks(width - std::min(width, text_width(text)), ' ');
  return align == Align::left ? std::string(text) + blanks : blanks + std::string(text);
}

std::size_t widest_cell(const TextColumn& column) {
  std::size_t width = 0;
  for (const auto& cell : column.cells) width = std::max(width, text_width(cell));
  return width;
}

std::size_t longest_word(std::string_view text) {
  std::size_t width = 0;
  for (const auto word : split(text, ' ')) width = std::max(width, text_width(word));
  return width;
}

using Widths = std::vector<std::size_t>;

std::size_t width_of(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap.size() * (widths.size() - 1));
}

/// The columns with the same group, and how wide they are with the gaps between them.
struct Span {
  std::size_t first, last;
  std::size_t width;
};

std::vector<Span> spans_of(std::span<const TextColumn> columns, const Widths& widths) {
  std::vector<Span> spans;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto& group = columns[column].group;
    if (column > 0 && !group.empty() && columns[column - 1].group == group) {
      spans.back().last = column;
      spans.back().width += gap.size() + widths[column];
    } else {
      spans.push_back({column, column, widths[column]});
    }
  }
  return spans;
}

/// Widens the first column of every group that is narrower than its name.
void make_room_for_groups(std::span<const TextColumn> columns, Widths& widths) {
  for (const auto& span : spans_of(columns, widths)) {
    const std::size_t needed = text_width(columns[span.first].group);
    if (needed > span.width) widths[span.first] += needed - span.width;
  }
}

/// @param broken whether headings may take several lines.
Widths widths_of(std::span<const TextColumn> columns, bool broken) {
  Widths widths;
  for (const auto& column : columns)
    widths.push_back(std::max(widest_cell(column),
                              broken ? longest_word(column.heading) : text_width(column.heading)));
  make_room_for_groups(columns, widths);
  return widths;
}

/// Takes columns of the terminal from the widest columns of text until the table fits, or none can
/// be narrower.
void narrow_text(std::span<const TextColumn> columns, std::size_t available, Widths& widths) {
  const auto can_be_narrower = [&](std::size_t c) {
    return columns[c].align == Align::left &&
           widths[c] > std::max(narrowest_text, longest_word(columns[c].heading));
  };
  while (width_of(widths) > available) {
    std::optional<std::size_t> widest;
    for (std::size_t c = 0; c < widths.size(); ++c)
      if (can_be_narrower(c) && (!widest || widths[c] > widths[*widest])) widest = c;
    if (!widest) return;
    --widths[*widest];
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

std::string group_line(std::span<const TextColumn> columns, const Widths& widths) {
  std::string line;
  for (const auto& span : spans_of(columns, widths))
    line += std::string(span.first > 0 ? gap : "") +
            group_heading(columns[span.first].group, span.width);
  return std::string(without_blanks_at_end(line));
}

/// One line of a table, or several where a text is broken.
/// @param at_bottom whether texts of fewer lines than others end with the last one.
std::string row_text(std::span<const TextColumn> columns, const Widths& widths, auto text_of,
                     bool at_bottom, std::size_t indent) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    cells.push_back(lines_within(printable(text_of(columns[c])), widths[c]));
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::size_t above = at_bottom ? height - cells[c].size() : 0;
      const bool is_there = l >= above && l - above < cells[c].size();
      line += (c > 0 ? gap : "");
      line += padded(is_there ? cells[c][l - above] : "", widths[c], columns[c].align);
    }
    text += std::string(without_blanks_at_end(line)) + '\n';
  }
  return text;
}

std::string block_text(std::span<const TextColumn> columns, const Widths& widths,
                       const TableLook& look) {
  std::string text;
  if (const std::string groups = group_line(columns, widths); !groups.empty())
    text += std::string(look.indent, ' ') + groups + '\n';
  text += row_text(
      columns, widths, [](const TextColumn& column) { return column.heading; }, true, look.indent);
  const Ink ink{look.style.colour};
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    const std::string line = row_text(
        columns, widths, [row](const TextColumn& column) { return column.cells[row]; }, false,
        look.indent);
    text += row == look.bold_row ? ink.bold(line) : line;
  }
  return text;
}

/// Behind the last column of the group that a column is in.
std::size_t end_of_group(std::span<const TextColumn> columns, std::size_t column) {
  std::size_t end = column + 1;
  while (end < columns.size() && !columns[column].group.empty() &&
         columns[end].group == columns[column].group)
    ++end;
  return end;
}

/// Columns in blocks of at most the width, each with the leading columns of text; groups stay
/// together where they fit.
std::string blocks_text(std::span<const TextColumn> columns, Widths widths, std::size_t available,
                        const TableLook& look) {
  std::size_t leading = 1;
  while (leading < columns.size() && columns[leading].align == Align::left) ++leading;
  Widths lead(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(leading));
  narrow_text(columns.first(leading), available / 2, lead);
  std::string text;
  for (std::size_t next = leading; next < columns.size();) {
    std::vector<TextColumn> block(columns.begin(),
                                  columns.begin() + static_cast<std::ptrdiff_t>(leading));
    Widths used = lead;
    while (next < columns.size()) {
      std::size_t end = end_of_group(columns, next);
      Widths with = used;
      with.insert(with.end(), widths.begin() + static_cast<std::ptrdiff_t>(next),
                  widths.begin() + static_cast<std::ptrdiff_t>(end));
      if (width_of(with) > available) {
        if (block.size() > leading) break;
        end = next + 1;  // a group that is wider than the terminal
        with = used;
        with.push_back(widths[next]);
      }
      used = std::move(with);
      for (; next < end; ++next) block.push_back(columns[next]);
    }
    if (!text.empty()) text += '\n';
    text += block_text(block, used, look);
  }
  return text;
}

std::string escaped(std::string_view code, std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty()) result += fmt::format("\x1b[{}m{}\x1b[0m", code, line);
    text.remove_prefix(line.size());
    if (text.empty()) break;
    result += '\n';
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace

std::string Ink::bold(std::string_view text) const {
  return colour ? escaped("1", text) : std::string(text);
}

std::string Ink::dim(std::string_view text) const {
  return colour ? escaped("2", text) : std::string(text);
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += next.columns;
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string text_table(std::span<const TextColumn> columns, const TableLook& look) {
  const std::size_t available = look.style.width - std::min(look.indent, look.style.width);
  Widths widths = widths_of(columns, false);
  if (width_of(widths) > available) {
    widths = widths_of(columns, true);
    Widths narrowed = widths;
    narrow_text(columns, available, narrowed);
    if (width_of(narrowed) > available && columns.size() > 1)
      return blocks_text(columns, std::move(widths), available, look);
    widths = std::move(narrowed);
  }
  return block_text(columns, widths, look);
}

std::string folded(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  const auto lines = split(text, '\n');
  for (std::size_t l = 0; l < lines.size(); ++l) {
    std::string_view line = lines[l];
    std::string blanks;
    while (text_width(line) + blanks.size() > width && blanks.size() + 8 < width) {
      const std::size_t end = end_of_line(line, width - blanks.size(), blanks.empty() ? indent : 0);
      result += blanks + std::string(without_blanks_at_end(line.substr(0, end))) + '\n';
      line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
      blanks.assign(std::min(indent, width / 2), ' ');
    }
    result += (line.empty() ? "" : blanks) + std::string(line) + (l + 1 < lines.size() ? "\n" : "");
  }
  return result;
}

std::string key_line(std::string_view key, std::size_t column, std::string_view value,
                     std::size_t width) {
  return folded(fmt::format("{:<{}} {}", key, column, value), width, column + 1) + '\n';
}

std::string folded_command(std::string_view command, std::size_t width) {
  std::string text, line;
  while (!command.empty()) {
    std::size_t end = 0;
    for (bool quoted = false; end < command.size() && (quoted || command[end] != ' '); ++end)
      if (command[end] == '\'') quoted = !quoted;
    const std::string_view word = command.substr(0, end);
    if (!line.empty() && text_width(line) + 1 + text_width(word) + 2 > width) {
      text += line + " \\\n";
      line = "  ";
    } else if (!line.empty()) {
      line += ' ';
    }
    line += word;
    command.remove_prefix(std::min(command.find_first_not_of(' ', end), command.size()));
  }
  return text + line;
}

}  // namespace vtopo::detail

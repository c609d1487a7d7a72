#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

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

/// A plain heading without these words (between blanks) at its ends; at least a letter stays.
inline std::string_view without_affixes(std::string_view heading, std::string_view affixes) {
  for (const std::string_view word : split(affixes, ' ')) {
    if (heading.size() <= word.size()) continue;
    if (heading.starts_with(word))
      heading.remove_prefix(word.size());
    else if (heading.ends_with(word))
      heading.remove_suffix(word.size());
  }
  return heading;
}

/// What separates the fields of a line of CSV: semicolons, bars or tabs where there are no commas.
inline char csv_separator(std::string_view line) {
  for (const char separator : {',', ';', '|', '\t'})
    if (line.find(separator) != line.npos) return separator;
  return ',';
}

/// Splits a line into fields without the quotes around them. A single quote that none closes before
/// the field ends is part of the text, as spreadsheets write it in front of formulas.
/// @param separator ' ' for any blanks and tabs.
inline void split_csv(std::string_view line, char separator, std::vector<Token>& fields) {
  const std::string_view separators = separator == ' ' ? " \t" : std::string_view(&separator, 1);
  fields.clear();
  for (std::size_t start = 0; start <= line.size();) {
    if (separator == ' ') start = std::min(line.find_first_not_of(separators, start), line.size());
    std::size_t end = std::min(line.find_first_of(separators, start), line.size());
    std::string_view text = trim(line.substr(start, end - start));
    const auto is_closed = [&] {
      const std::size_t close = line.find('\'', line.find('\'', start) + 1);
      const std::size_t next = line.find_first_not_of(' ', std::min(close, line.size() - 1) + 1);
      return close != line.npos &&
             (next == line.npos || separators.find(line[next]) != separators.npos ||
              separator == ' ');
    };
    if (text.starts_with('"') || (text.starts_with('\'') && is_closed())) {
      const std::size_t open = line.find(text[0], start);
      const std::size_t close = std::min(line.find(text[0], open + 1), line.size());
      text = trim(line.substr(open + 1, close - open - 1));
      end = std::min(line.find_first_of(separators, close), line.size());
    }
    const std::size_t at =
        text.empty() ? start : static_cast<std::size_t>(text.data() - line.data());
    fields.push_back({text, narrow<int>(at) + 1});
    start = end + 1;
  }
}

/// A table in CSV: a header, then rows with as many fields. A field may stand in quotes. Blanks
/// separate the fields of a file that has to have a header, and has no other separator in it.
class CsvTable {
 public:
  /// @param file its current line is the header, or its first line will be it.
  /// @param accepted headers, for a file without a line.
  /// @throws InputError for that.
  explicit CsvTable(LineFile& file, std::string_view accepted = "") : file_(file) {
    if (!accepted.empty() && !file.next_content())
      throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted));
    separator_ = csv_separator(file.line());
    if (!accepted.empty() && file.line().find(separator_) == std::string_view::npos)
      separator_ = ' ';
    split_csv(file_.line(), separator_, fields_);
    for (const Token& field : fields_) headings_.emplace_back(field.text);
  }

  const std::vector<std::string>& headings() const { return headings_; }

  /// Column of the first of these headings (plain, between blanks) that the header has; nothing if
  /// it has none.
  /// @param affixes words that headings may have in front of these and behind them, as `rank` in
  /// `src_rank`; behind a `|` those that count where the others lead to nothing.
  /// @throws InputError where two columns have it.
  std::optional<std::size_t> column(std::string_view names, std::string_view affixes = "") const {
    for (const std::string_view group : split(affixes, '|'))
      for (const std::string_view name : split(names, ' '))
        if (const auto found = column_called(name, group)) return found;
    return std::nullopt;
  }

  /// @throws InputError unless all of the columns are there.
  void need(std::initializer_list<std::optional<std::size_t>> columns, std::string_view accepted,
            std::string_view note = "") const {
    if (std::find(columns.begin(), columns.end(), std::nullopt) == columns.end()) return;
    throw input_error(file_.at(1), fmt::format("header \"{}\"; accepted is {}, in any order{}",
                                               join(headings_, ","), accepted, note));
  }

  /// Reads the next row, which a separator may end; false at the end of the file.
  /// @throws InputError for one with more or fewer fields than the header.
  bool next() {
    if (!file_.next_content()) return false;
    split_csv(file_.line(), separator_, fields_);
    if (fields_.size() == headings_.size() + 1 && fields_.back().text.empty()) fields_.pop_back();
    if (fields_.size() != headings_.size())
      throw input_error(
          fields_.size() < headings_.size() ? file_.line_end()
                                            : file_.at(fields_[headings_.size()].column),
          fmt::format("{} fields where the header has {}", fields_.size(), headings_.size()));
    return true;
  }

  /// A field of the current row.
  const Token& operator[](std::size_t column) const { return fields_[column]; }

  /// The columns but those that are taken and those of line numbers, in quotes.
  std::string other_columns(const std::vector<std::optional<std::size_t>>& taken) const {
    std::string others;
    for (std::size_t column = 0; column < headings_.size(); ++column) {
      const std::string plain = plain_heading(headings_[column]);
      if (plain.empty() || plain == "index" || plain == "unnamed0" ||
          std::find(taken.begin(), taken.end(), column) != taken.end())
        continue;
      others += fmt::format("{}\"{}\"", others.empty() ? "" : ", ", headings_[column]);
    }
    return others;
  }

 private:
  std::optional<std::size_t> column_called(std::string_view name, std::string_view affixes) const {
    std::optional<std::size_t> found;
    for (std::size_t column = 0; column < headings_.size(); ++column) {
      const std::string plain = plain_heading(headings_[column]);
      if (plain != name && without_affixes(plain, affixes) != name) continue;
      if (found)
        throw input_error(file_.at(1), fmt::format("columns \"{}\" and \"{}\" mean the same: "
                                                   "accepted is one of them",
                                                   headings_[*found], headings_[column]));
      found = column;
    }
    return found;
  }

  LineFile& file_;
  char separator_ = ',';
  std::vector<std::string> headings_;
  std::vector<Token> fields_;
};

/// Headings of tables of ranks on hosts.
inline constexpr std::string_view rank_headings = "rank mpirank rankid task taskid process";
inline constexpr std::string_view host_headings = "host hostname node nodename";
inline constexpr std::string_view slot_headings = "slot slotid core coreid";

/// What headings of volumes may have around them: `total_bytes`, `bytes_sent`, `sizeInBytes`.
inline constexpr std::string_view volume_affixes =
    "total sum number num sent send communication comm edge data transferred transfer exchanged "
    "traffic volume payload size count of in";

/// Whether a row or column of that name adds up the others.
inline bool is_sum(std::string_view heading) {
  constexpr std::string_view sums =
      " total totals grandtotal rowtotal columntotal sum sums rowsum columnsum average mean ";
  const std::string plain = plain_heading(heading);
  return !plain.empty() && sums.find(' ' + plain + ' ') != sums.npos;
}

}  // namespace vtopo::detail

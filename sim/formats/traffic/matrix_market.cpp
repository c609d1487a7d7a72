#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/interchange_graph.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/lower_case.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_banner =
    "%%MatrixMarket matrix coordinate|array real|integer|pattern|complex "
    "general|symmetric|skew-symmetric|hermitian";

/// What the first two lines say.
struct Header {
  bool array =
      false;  ///< every entry of each column, one a line, in a symmetric one from its diagonal on
  bool bare = false;  ///< the first line has the sizes
  bool skew = false;  ///< without the diagonal
  bool pattern = false;
  bool integer = false;
  bool complex = false;
  bool symmetric = false;  ///< of any kind: an entry stands for two
  std::int64_t ranks = 0;
  std::int64_t entries = 0;
};

void read_banner(LineFile& file, WeightRule rule, Header& header) {
  if (!file.next())
    throw input_error({file.path()}, fmt::format("no line; accepted is {}", accepted_banner));
  const auto words = file.words();
  const auto is = [&](std::size_t i, std::string_view word) {
    return i < words.size() && lower_case(words[i].text) == word;
  };
  const auto is_count = [](const Token& word) { return parse_integer(word.text).has_value(); };
  header.bare = words.size() == 3 && std::all_of(words.begin(), words.end(), is_count);
  if (header.bare) return;
  header.array = is(2, "array");
  header.skew = is(4, "skew-symmetric");
  header.pattern = is(3, "pattern");
  header.integer = is(3, "integer");
  header.complex = is(3, "complex");
  const bool signs_differ = header.skew || is(4, "hermitian");
  header.symmetric = is(4, "symmetric") || signs_differ;
  const bool known = is(0, "%%matrixmarket") && is(1, "matrix") &&
                     (is(2, "coordinate") || (header.array && !header.pattern)) &&
                     (is(3, "real") || header.integer || header.pattern || header.complex) &&
                     (is(4, "general") || header.symmetric) && words.size() == 5;
  if (!known)
    throw input_error(file.at(1), fmt::format("first line \"{}\"; accepted is {}",
                                              trim(file.line()).substr(0, 80), accepted_banner));
  if (rule == WeightRule::value && (header.complex || signs_differ))
    throw input_error(file.at(words[header.complex ? 3 : 4].column),
                      fmt::format("entries of a {} matrix are not volumes: accepted with --weights "
                                  "abs or --weights pattern",
                                  header.complex ? "complex" : words[4].text));
}

/// Next line that is neither blank nor a comment.
bool next_content(LineFile& file) {
  while (file.next())
    if (!file.line().starts_with('%') && !trim(file.line()).empty()) return true;
  return false;
}

void read_sizes(LineFile& file, Header& header) {
  const FilePosition end = file.line_end();
  if (!header.bare && !next_content(file))
    throw input_error(end, "the file ends where the sizes are due: rows, columns, entries");
  const auto words = file.words();
  if (words.size() != (header.array ? 2 : 3))
    throw input_error(file.at(words[0].column),
                      fmt::format("{} words; accepted are the sizes: rows, columns{}", words.size(),
                                  header.array ? "" : ", entries"));
  header.ranks = read_integer_between(file, words[0], "number of rows", 1, max_ranks_in_file);
  const auto columns =
      read_integer_between(file, words[1], "number of columns", 1, max_ranks_in_file);
  if (columns != header.ranks)
    throw input_error(file.at(words[1].column),
                      fmt::format("{} columns and {} rows; accepted are as many rows as columns",
                                  columns, header.ranks));
  if (header.array) {
    const std::int64_t n = header.ranks, diagonal = header.skew ? 0 : n;
    header.entries = header.symmetric ? n * (n - 1) / 2 + diagonal : n * n;
    return;
  }
  header.entries = read_integer_between(file, words[2], "number of entries", 0,
                                        std::numeric_limits<std::int64_t>::max());
}

/// An entry, its row and column counted from 0.
struct Entry {
  std::int64_t row = 0, column = 0;
  Bytes volume;
};

/// The next place of a column, or the first of the next column.
void move_on(const Header& header, Entry& place) {
  if (++place.row < header.ranks) return;
  ++place.column;
  place.row = header.symmetric ? place.column + (header.skew ? 1 : 0) : 0;
}

/// @param place of the entry in an array, which does not say it.
Entry read_entry(LineFile& file, const Header& header, WeightRule rule, Entry place) {
  auto words = file.words();
  const std::size_t places = header.array ? 0 : 2, parts = header.complex   ? 2
                                                           : header.pattern ? 0
                                                                            : 1;
  const std::size_t expected = places + parts;
  constexpr std::array<std::string_view, 3> volumes{"", "volume", "two parts of the volume"};
  if (words.size() != expected)
    throw input_error(words.size() < expected ? file.line_end() : file.at(words[expected].column),
                      fmt::format("entry of {} words; accepted are {}: {}{}{}", words.size(),
                                  expected, places > 0 ? "row, column" : "",
                                  places > 0 && parts > 0 ? ", " : "", volumes[parts]));
  Entry entry = place;
  if (!header.array) {
    entry.row = read_integer_between(file, words[0], "row", 1, header.ranks) - 1;
    entry.column = read_integer_between(file, words[1], "column", 1, header.ranks) - 1;
    words = words.subspan(2);
  }
  entry.volume = {1};
  if (header.pattern) return entry;
  entry.volume = read_volume(file, words[0], rule);
  if (header.complex)
    entry.volume.value = std::hypot(entry.volume.value, read_volume(file, words[1], rule).value);
  if (header.integer && !parse_integer(words[0].text))
    throw input_error(
        file.at(words[0].column),
        fmt::format("volume \"{}\" is not an integer; the first line promises integers",
                    words[0].text));
  return entry;
}

/// Adds the entries of a symmetric matrix in both directions. The format has the lower half alone;
/// some files have the upper one, or both.
void add_symmetric(const std::vector<Entry>& entries, std::int64_t ranks, Recording& recording) {
  std::unordered_set<std::int64_t> given;
  std::int64_t upper = 0, lower = 0;
  for (const Entry& entry : entries) {
    upper += entry.row < entry.column ? 1 : 0;
    lower += entry.row > entry.column ? 1 : 0;
  }
  if (upper > 0 && lower > 0)
    for (const Entry& entry : entries) given.insert(entry.row * ranks + entry.column);
  std::int64_t doubled = 0;
  for (const Entry& entry : entries) {
    const Rank source{narrow<int>(entry.row)}, destination{narrow<int>(entry.column)};
    recording.edges.push_back({source, destination, entry.volume});
    if (entry.row == entry.column) continue;
    if (given.contains(entry.column * ranks + entry.row))
      ++doubled;
    else
      recording.edges.push_back({destination, source, entry.volume});
  }
  if (upper == 0) return;
  recording.remarks.push_back(
      doubled > 0
          ? fmt::format("a symmetric matrix with both halves: {} entries have an opposite one, and "
                        "each counts for its own direction",
                        doubled)
          : fmt::format("a symmetric matrix with {} entries above the diagonal: read as those of "
                        "the lower half",
                        upper));
}

}  // namespace

Recording read_matrix_market(const std::string& path, WeightRule rule) {
  LineFile file(path);
  Header header;
  read_banner(file, rule, header);
  read_sizes(file, header);
  Recording recording;
  recording.num_ranks = narrow<int>(header.ranks);
  if (header.bare)
    recording.remarks.emplace_back(
        "without a first line %%MatrixMarket it is read as coordinate real general: each entry is "
        "one direction");
  std::vector<Entry> entries;
  Entry place{header.skew ? 1 : 0, 0, {}};
  for (std::int64_t i = 0; i < header.entries; ++i) {
    const FilePosition end = file.line_end();
    if (!next_content(file))
      throw input_error(end,
                        fmt::format("the file ends after {} of {} entries", i, header.entries));
    const Entry entry = read_entry(file, header, rule, place);
    move_on(header, place);
    if (entry.volume.value > 0 || (rule == WeightRule::pattern && !header.array))
      entries.push_back(entry);
  }
  if (next_content(file))
    throw input_error(file.at(1),
                      fmt::format("a line behind the last of the {} entries", header.entries));
  if (header.symmetric)
    add_symmetric(entries, header.ranks, recording);
  else
    for (const Entry& entry : entries)
      recording.edges.push_back(
          {Rank{narrow<int>(entry.row)}, Rank{narrow<int>(entry.column)}, entry.volume});
  return recording;
}

std::string write_matrix_market(const CommGraph& graph) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n",
                                 graph.num_ranks(), graph.num_ranks(), graph.num_edges());
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text, "{} {} {}\n", number(source) + 1, number(edge.destination) + 1,
                  edge.volume.value);
  });
  return text;
}

}  // namespace vtopo::detail

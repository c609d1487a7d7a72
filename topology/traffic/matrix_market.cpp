#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/interchange_graph.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_banner =
    "%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric";

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

/// What the first two lines say.
struct Header {
  bool pattern = false;
  bool integer = false;
  bool symmetric = false;
  std::int64_t ranks = 0;
  std::int64_t entries = 0;
};

void read_banner(LineFile& file, Header& header) {
  if (!file.next())
    throw input_error({file.path()}, fmt::format("no line; accepted is {}", accepted_banner));
  const auto words = file.words();
  const auto is = [&](std::size_t i, std::string_view word) {
    return i < words.size() && lower_case(words[i].text) == word;
  };
  header.pattern = is(3, "pattern");
  header.integer = is(3, "integer");
  header.symmetric = is(4, "symmetric");
  const bool known = is(0, "%%matrixmarket") && is(1, "matrix") && is(2, "coordinate") &&
                     (is(3, "real") || header.integer || header.pattern) &&
                     (is(4, "general") || header.symmetric) && words.size() == 5;
  if (!known)
    throw input_error(file.at(1), fmt::format("first line \"{}\"; accepted is {}",
                                              trim(file.line()).substr(0, 80), accepted_banner));
}

/// Next line that is neither blank nor a comment.
bool next_content(LineFile& file) {
  while (file.next())
    if (!file.line().starts_with('%') && !trim(file.line()).empty()) return true;
  return false;
}

void read_sizes(LineFile& file, Header& header) {
  const FilePosition end = file.line_end();
  if (!next_content(file))
    throw input_error(end, "the file ends where the sizes are due: rows, columns, entries");
  const auto words = file.words();
  if (words.size() != 3)
    throw input_error(file.at(words[0].column), fmt::format("{} words; accepted are the sizes: "
                                                            "rows, columns, entries",
                                                            words.size()));
  header.ranks = read_integer_between(file, words[0], "number of rows", 1, max_ranks_in_file);
  const auto columns =
      read_integer_between(file, words[1], "number of columns", 1, max_ranks_in_file);
  if (columns != header.ranks)
    throw input_error(file.at(words[1].column),
                      fmt::format("{} columns and {} rows; accepted are as many rows as columns",
                                  columns, header.ranks));
  header.entries = read_integer_between(file, words[2], "number of entries", 0,
                                        std::numeric_limits<std::int64_t>::max());
}

void read_entry(LineFile& file, const Header& header, Recording& recording) {
  const auto words = file.words();
  const std::size_t expected = header.pattern ? 2 : 3;
  if (words.size() != expected)
    throw input_error(words.size() < expected ? file.line_end() : file.at(words[expected].column),
                      fmt::format("entry of {} words; accepted are {}", words.size(),
                                  header.pattern ? "2: row, column" : "3: row, column, volume"));
  const auto row = read_integer_between(file, words[0], "row", 1, header.ranks);
  const auto column = read_integer_between(file, words[1], "column", 1, header.ranks);
  if (header.symmetric && row < column)
    throw input_error(file.at(words[0].column),
                      fmt::format("entry ({}, {}) above the diagonal; accepted are entries of the "
                                  "lower half of a symmetric matrix",
                                  row, column));
  const Bytes volume{header.pattern ? 1 : read_number(file, words[2], "volume")};
  if (header.integer && !parse_integer(words[2].text))
    throw input_error(
        file.at(words[2].column),
        fmt::format("volume \"{}\" is not an integer; the first line promises integers",
                    words[2].text));
  if (volume.value == 0) return;
  const Rank source{narrow<int>(row - 1)}, destination{narrow<int>(column - 1)};
  recording.edges.push_back({source, destination, volume});
  if (header.symmetric && row != column) recording.edges.push_back({destination, source, volume});
}

}  // namespace

Recording read_matrix_market(const std::string& path) {
  LineFile file(path);
  Header header;
  read_banner(file, header);
  read_sizes(file, header);
  Recording recording;
  recording.num_ranks = narrow<int>(header.ranks);
  for (std::int64_t i = 0; i < header.entries; ++i) {
    const FilePosition end = file.line_end();
    if (!next_content(file))
      throw input_error(end,
                        fmt::format("the file ends after {} of {} entries", i, header.entries));
    read_entry(file, header, recording);
  }
  if (next_content(file))
    throw input_error(file.at(1),
                      fmt::format("a line behind the last of the {} entries", header.entries));
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

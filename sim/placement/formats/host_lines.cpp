#include "sim/placement/formats/host_lines.hpp"

#include "sim/placement/formats/formats.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/host_list.hpp"

namespace vtopo::detail::formats {

namespace {

/// Ranks in a row on the host of a line.
int read_count(const LineFile& file, std::string_view text, int column, const PlacedRanks& ranks) {
  const auto count = parse_integer(text);
  if (!count || *count < 1)
    throw input_error(file.at(column),
                      fmt::format("ranks \"{}\": accepted is a number from 1", text));
  const int left = ranks.num_ranks() - ranks.num_placed();
  if (*count > left)
    throw input_error(file.at(column),
                      fmt::format("{} ranks where {} of the {} of the virtual topology are left",
                                  *count, left, ranks.num_ranks()));
  return narrow<int>(*count);
}

/// Names of a line, with its place in front of what is wrong with it.
std::vector<std::string> expand(const LineFile& file, const Token& word) {
  try {
    return expand_host_list(word.text);
  } catch (const UsageError& error) {
    throw input_error(file.at(word.column), error.what());
  }
}

}  // namespace

void read_host_lines(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() > 1)
      throw input_error(
          file.at(words[1].column),
          fmt::format("unexpected \"{}\": accepted are host and host:n", words[1].text));
    const auto [text, column] = words[0];
    const std::size_t colon = text.rfind(':');
    const std::string_view name = text.substr(0, colon);
    ranks.host_named(name, file.at(column));  // a wrong name is reported before a wrong count
    int count = 1;
    if (colon != std::string_view::npos)
      count = read_count(file, text.substr(colon + 1), column + narrow<int>(colon) + 1, ranks);
    for (int i = 0; i < count; ++i)
      ranks.place_next(ranks.host_named(name, file.at(column)), file.at(column));
  }
}

void read_host_lists(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  while (file.next_content())
    for (const Token& word : file.words())
      for (const std::string& name : expand(file, word))
        ranks.place_next(ranks.host_named(name, file.at(word.column)), file.at(word.column));
}

std::string host_per_rank(const EmbeddingDocument& document, std::string_view separators,
                          std::string_view format) {
  std::string text;
  for (const std::string& node : node_names(document, separators, format)) text += node + '\n';
  return text;
}

}  // namespace vtopo::detail::formats

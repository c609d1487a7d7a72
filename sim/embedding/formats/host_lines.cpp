#include "sim/embedding/formats/host_lines.hpp"

#include "sim/embedding/formats/formats.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

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

}  // namespace vtopo::detail::formats

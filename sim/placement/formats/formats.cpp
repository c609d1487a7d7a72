#include "sim/placement/formats/formats.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "topology/base/host_list.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

decltype(EmbeddingFormat::read) reader(void (*place)(const std::string&, PlacedRanks&)) {
  return [place](const std::string& path, std::optional<int> num_ranks, const Network& network,
                 const Allocation& allocation) {
    PlacedRanks ranks(num_ranks, network, allocation);
    place(path, ranks);
    return ranks.embedding(path);
  };
}

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

namespace {

/// Whether neighbours along an axis are one cable apart and no others are.
bool joins_neighbours(const HostCoordinates& grid) {
  return std::none_of(grid.axes.begin(), grid.axes.end(),
                      [](const NetworkAxis& axis) { return axis.kind == AxisKind::complete; });
}

}  // namespace

std::optional<std::string> coordinates_unsupported_reason(const Network& network, std::size_t most,
                                                          std::string_view reader) {
  const auto grid = network.coordinates();
  if (!grid || !joins_neighbours(*grid))
    return fmt::format("{} names hosts by torus coordinates, and {} is not a torus or mesh", reader,
                       network.description());
  if (grid->axes.size() > most)
    return fmt::format("{} has {} coordinates, and {} has {} dimensions", reader, most,
                       network.description(), grid->axes.size());
  if (grid->hosts_per_router > 1)
    return fmt::format("{} has one host at each coordinate, and {} has {}", reader,
                       network.description(), grid->hosts_per_router);
  return std::nullopt;
}

std::vector<int> grid_sizes(const Network& network) {
  std::vector<int> sizes;
  const auto grid = network.coordinates();
  for (const NetworkAxis& axis : grid.value().axes) sizes.push_back(axis.size);
  return sizes;
}

std::vector<int> coordinates_of(HostId host, std::span<const int> sizes) {
  std::vector<int> coordinates;
  int rest = number(host);
  for (const int size : sizes) {
    coordinates.push_back(rest % size);
    rest /= size;
  }
  return coordinates;
}

HostId host_at(std::span<const int> coordinates, std::span<const int> sizes) {
  int id = 0;
  for (std::size_t d = sizes.size(); d-- > 0;) id = id * sizes[d] + coordinates[d];
  return HostId{id};
}

}  // namespace vtopo::detail::formats

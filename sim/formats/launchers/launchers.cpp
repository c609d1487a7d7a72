#include "sim/formats/launchers/launchers.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "sim/placement/host_lists.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

std::vector<std::string> allocated_nodes(const Network& network, const Allocation& allocation) {
  std::vector<std::string> nodes;
  std::unordered_set<std::string> known;
  for (const HostId host : allocation.hosts) {
    std::string node = network.host_place(host).node;
    if (known.insert(node).second) nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<std::string> nodes_in_use(const EmbeddingDocument& document) {
  std::unordered_set<std::string> used;
  for (const HostId host : document.embedding.hosts())
    used.insert(document.network.host_place(host).node);
  std::vector<std::string> nodes = allocated_nodes(document.network, document.allocation);
  std::erase_if(nodes, [&](const std::string& node) { return !used.contains(node); });
  return nodes;
}

std::function<std::vector<std::pair<std::string, std::string>>(const EmbeddingDocument&,
                                                               const std::string&)>
launched_by(std::vector<std::pair<std::string, std::string>> lines) {
  return [lines = std::move(lines)](const EmbeddingDocument& document, const std::string& file) {
    auto result = lines;
    for (auto& [launcher, command] : result)
      command = fmt::format(fmt::runtime(command), fmt::arg("path", file),
                            fmt::arg("ranks", document.embedding.num_ranks()));
    return result;
  };
}

std::vector<std::string> node_names(const EmbeddingDocument& document, std::string_view separators,
                                    std::string_view format) {
  PlacedRanks reader(document.embedding.num_ranks(), document.network, document.allocation);
  std::vector<std::string> names;
  for (const HostId host : document.embedding.hosts()) {
    HostPlace place = document.network.host_place(host);
    names.push_back(plain_name(std::move(place.node), separators, format));
    if (!place.core) continue;
    const HostId next = reader.host_named(names.back(), FilePosition{});
    if (next != host)
      throw UsageError(fmt::format(
          "embedding format {}: it names nodes alone, whose places are filled in the order of "
          "ranks, and rank {} is at \"{}\" where \"{}\" is next; rankfile, csv and json can say so",
          format, names.size() - 1, document.network.host_name(host),
          document.network.host_name(next)));
    reader.place(Rank{static_cast<int>(names.size()) - 1}, host, FilePosition{});
  }
  return names;
}

void read_host_lines(const std::string& path, PlacedRanks& ranks) {
  for (const ListedHost& listed : read_listed_hosts(path)) {
    ranks.host_named(listed.name, listed.where);  // a wrong name is reported before a wrong count
    const int count = listed.slots.value_or(1);
    if (const std::int64_t left = std::int64_t{ranks.num_ranks()} - ranks.num_placed();
        listed.slots && count > left)
      throw input_error(listed.where,
                        fmt::format("{} ranks on host \"{}\" where {} of the {} of the virtual "
                                    "topology are left",
                                    count, listed.name, left, ranks.num_ranks()));
    for (int i = 0; i < count; ++i)
      ranks.place_next(ranks.host_named(listed.name, listed.where), listed.where);
  }
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

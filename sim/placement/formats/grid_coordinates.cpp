#include "sim/placement/formats/grid_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vtopo::detail::formats {

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

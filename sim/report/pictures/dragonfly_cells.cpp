#include <fmt/format.h>

#include <algorithm>

#include "sim/report/pictures/link_cells.hpp"

namespace vtopo {

namespace {

constexpr int most_cells = 128;  // along a side

/// Group of a router; nothing for a host.
std::optional<int> group_of(const Network& network, const DragonflySpec& spec, int vertex) {
  if (vertex < network.num_hosts()) return std::nullopt;
  return (vertex - network.num_hosts()) / (spec.chassis * spec.blades);
}

}  // namespace

CellPicture dragonfly_cells(const Network& network, const DragonflySpec& spec,
                            const Metrics& metrics) {
  const int block = (spec.groups + most_cells - 1) / most_cells;
  const int side = (spec.groups + block - 1) / block;
  CellPicture picture;
  picture.title = "Load of links by groups";
  picture.caption =
      "The heaviest link from one group to another; on the diagonal, between its "
      "routers. Cables of hosts are left out.";
  if (block > 1) picture.caption += fmt::format(" A cell is {0} x {0} groups.", block);
  picture.row_axis = "from group";
  picture.column_axis = "to group";
  for (int first = 0; first < spec.groups; first += block) {
    const int last = std::min(first + block, spec.groups) - 1;
    picture.row_names.push_back(first == last
                                    ? fmt::format("group {}", first)
                                    : fmt::format("groups {}\xE2\x80\x93{}", first, last));
  }
  picture.column_names = picture.row_names;
  CellPanel panel{"", side, side, {}, {}};
  panel.values.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) continue;
    const auto from = group_of(network, spec, ends->from), to = group_of(network, spec, ends->to);
    if (!from || !to) continue;
    double& value = panel.values[static_cast<std::size_t>(*from / block * side + *to / block)];
    value = std::max(value, metrics.links[static_cast<std::size_t>(l)].congestion.value);
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace vtopo

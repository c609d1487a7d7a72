#include <fmt/format.h>

#include <algorithm>

#include "sim/report/pictures/link_cells.hpp"

namespace vtopo {

namespace {

constexpr int max_cells = 128;  // along a side

/// Group of a router; nothing for a host.
std::optional<int> group_of(const GroupLayout& layout, int vertex) {
  if (vertex < layout.first_router) return std::nullopt;
  return layout.group_of(vertex - layout.first_router);
}

}  // namespace

CellPicture group_cells(const Network& network, const GroupLayout& layout, const Metrics& metrics) {
  const auto& [name, groups, joint] = layout.groups;
  const int block = (groups + max_cells - 1) / max_cells;
  const int side = (groups + block - 1) / block;
  CellPicture picture;
  picture.title = "Load of links by " + layout.plural;
  picture.caption = fmt::format(
      "The heaviest link from one {} to another; on the diagonal, between its "
      "routers. Cables of hosts are left out.",
      name);
  if (block > 1) picture.caption += fmt::format(" A cell is {0} x {0} {1}.", block, layout.plural);
  picture.row_axis = "from " + name;
  picture.column_axis = "to " + name;
  for (int first = 0; first < groups; first += block) {
    const int last = std::min(first + block, groups) - 1;
    picture.row_names.push_back(
        first == last ? layout.groups.label(first)
                      : fmt::format("{}{}{}\xE2\x80\x93{}", layout.plural, joint, first, last));
  }
  picture.column_names = picture.row_names;
  CellPanel panel{"", side, side, {}, {}};
  panel.values.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) continue;
    const auto from = group_of(layout, ends->from), to = group_of(layout, ends->to);
    if (!from || !to) continue;
    double& value = panel.values[static_cast<std::size_t>(*from / block * side + *to / block)];
    value = std::max(value, metrics.links[static_cast<std::size_t>(l)].congestion.value);
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace vtopo

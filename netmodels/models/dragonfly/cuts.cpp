#include <utility>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo::detail {

namespace {

/// With unequal groups: routers and groups with hosts, the others are in no cell.
std::vector<VertexCells> cuts_of_unequal_groups(const DragonflyLayout& layout) {
  const int hosts = layout.num_hosts(), routers = layout.num_routers();
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  VertexCells around{"routers", 0, {}, AxisKind::complete, 0.5};
  VertexCells groups{"groups", 0, {}, AxisKind::complete, 0};
  std::vector<int> router_cell(static_cast<std::size_t>(routers), -1);
  std::vector<int> group_cell(static_cast<std::size_t>(layout.groups()), -1);
  for (int h = 0; h < hosts; ++h) {
    single.cell_of.push_back(h);
    const int number = layout.router_number(HostId{h});
    int& router = router_cell[static_cast<std::size_t>(number)];
    int& group = group_cell[static_cast<std::size_t>(layout.router(number).group)];
    if (router < 0) router = around.count++;
    if (group < 0) group = groups.count++;
    around.cell_of.push_back(router);
    groups.cell_of.push_back(group);
  }
  for (int r = 0; r < routers; ++r) {
    around.cell_of.push_back(router_cell[static_cast<std::size_t>(r)]);
    groups.cell_of.push_back(group_cell[static_cast<std::size_t>(layout.router(r).group)]);
  }
  std::vector<VertexCells> families;
  for (VertexCells* family : {&single, &around, &groups}) families.push_back(std::move(*family));
  return families;
}

}  // namespace

std::vector<VertexCells> dragonfly_cuts(const DragonflySpec& spec, const DragonflyLayout& layout) {
  if (!layout.has_equal_groups()) return cuts_of_unequal_groups(layout);
  const int hosts = layout.num_hosts(), routers = layout.num_routers();
  const auto family = [&](const char* name, int routers_per_cell, double hops) {
    VertexCells cells{name, routers / routers_per_cell, {}, AxisKind::complete, hops};
    cells.cell_of.reserve(index(hosts + routers));
    for (int h = 0; h < hosts; ++h)
      cells.cell_of.push_back(layout.router_number(HostId{h}) / routers_per_cell);
    for (int r = 0; r < routers; ++r) cells.cell_of.push_back(r / routers_per_cell);
    return cells;
  };
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  for (int h = 0; h < hosts; ++h) single.cell_of.push_back(h);
  return {std::move(single), family("routers", 1, 0.5), family("chassis", spec.blades, 0),
          family("groups", layout.routers_per_group(), 0)};
}

}  // namespace vtopo::detail

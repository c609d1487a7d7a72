#include <utility>

#include "netmodels/models/dragonfly/answers.hpp"

namespace vtopo {

std::vector<VertexCells> dragonfly_cuts(const DragonflySpec& spec, const DragonflyLayout& layout) {
  const int hosts = layout.num_hosts(), routers = layout.num_routers();
  const auto family = [&](const char* name, int routers_per_cell, double hops) {
    VertexCells cells{name, routers / routers_per_cell, {}, AxisKind::complete, hops};
    cells.cell_of.reserve(static_cast<std::size_t>(hosts + routers));
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

}  // namespace vtopo

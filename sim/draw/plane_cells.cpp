#include <fmt/format.h>

#include <algorithm>

#include "sim/draw/link_cells.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_cells = 16384;
constexpr std::int64_t max_planes = 1024;

/// Where the routers of a grid lie in panels of cells.
struct PlaneCellGrid {
  int width = 1, height = 1;  ///< of a plane, in routers
  int planes = 1;
  int block = 1;  ///< routers along each side of a cell

  int columns() const { return (width + block - 1) / block; }
  int rows() const { return (height + block - 1) / block; }
  int plane_of(int router) const { return router / (width * height); }
  std::size_t cell_of(int router) const {
    const int x = router % width / block, y = router / width % height / block;
    return static_cast<std::size_t>(y * columns() + x);
  }
};

std::optional<PlaneCellGrid> grid_of(const PlaneLayout& layout) {
  const auto size = [&](std::size_t d) { return d < layout.axes.size() ? layout.axes[d].size : 1; };
  std::int64_t planes = 1;
  for (std::size_t d = 2; d < layout.axes.size(); ++d) planes *= size(d);
  if (planes > max_planes) return std::nullopt;
  PlaneCellGrid grid{size(0), size(1), narrow<int>(planes)};
  while (planes * grid.columns() * grid.rows() > max_cells) ++grid.block;
  return grid;
}

/// `d0 = 3`, or `d0 = 4-7`, for each cell along a side.
std::vector<std::string> side_names(const LayoutAxis& axis, int block) {
  std::vector<std::string> names;
  for (int first = 0; first < axis.size; first += block) {
    const int last = std::min(first + block, axis.size) - 1;
    names.push_back(first == last ? axis.label(first)
                                  : fmt::format("{}\xE2\x80\x93{}", axis.label(first), last));
  }
  return names;
}

/// The second axis, of one row if there is none.
LayoutAxis row_axis(const PlaneLayout& layout) {
  return layout.axes.size() > 1 ? layout.axes[1] : LayoutAxis{"d1"};
}

}  // namespace

std::optional<CellPicture> plane_cells(const Network& network, const PlaneLayout& layout,
                                       const Metrics& metrics) {
  const auto grid = grid_of(layout);
  if (!grid) return std::nullopt;
  CellPicture picture;
  picture.title = "Load of links by router";
  picture.caption =
      grid->block == 1
          ? "A cell is a router, its value the heaviest link that leaves it."
          : fmt::format("A cell is {0} x {0} routers, its value the heaviest link that leaves one.",
                        grid->block);
  picture.column_axis = layout.axes.front().name;
  picture.row_axis = row_axis(layout).name;
  picture.column_names = side_names(layout.axes.front(), grid->block);
  picture.row_names = side_names(row_axis(layout), grid->block);
  const auto count = static_cast<std::size_t>(grid->columns() * grid->rows());
  for (int plane = 0; plane < grid->planes; ++plane)
    picture.panels.push_back({plane_title(layout, plane),
                              grid->columns(),
                              grid->rows(),
                              std::vector<double>(count, 0),
                              {}});
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) continue;
    const int router = layout.router_of(ends->from);
    auto& panel = picture.panels[static_cast<std::size_t>(grid->plane_of(router))];
    double& value = panel.values[grid->cell_of(router)];
    value = std::max(value, metrics.links[static_cast<std::size_t>(l)].congestion.value);
  }
  return picture;
}

}  // namespace vtopo::detail

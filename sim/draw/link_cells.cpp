#include "sim/draw/cell_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "topology/base/counted.hpp"
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

constexpr std::size_t max_panels = 12;
constexpr std::size_t strip_columns = 48, max_strip_rows = 8;  // of a panel

/// Links of each kind in the order of their ids; further kinds come to the last one.
std::vector<std::vector<LinkId>> links_by_kind(const Network& network, const LinkSet& only) {
  const std::size_t kinds = std::clamp<std::size_t>(network.link_classes().size(), 1, max_panels);
  std::vector<std::vector<LinkId>> links(kinds);
  for (int l = 0; l < network.num_links(); ++l) {
    if (!only.empty() && !only[static_cast<std::size_t>(l)]) continue;
    const auto kind = static_cast<std::size_t>(network.link_class(LinkId{l}));
    links[std::min(kind, kinds - 1)].push_back(LinkId{l});
  }
  return links;
}

/// The heaviest of `links` [first, end); the first one if none has a load.
LinkId heaviest(const std::vector<LinkId>& links, std::size_t first, std::size_t end,
                const Metrics& metrics) {
  const auto begin = links.begin() + static_cast<std::ptrdiff_t>(first);
  return *std::max_element(
      begin, links.begin() + static_cast<std::ptrdiff_t>(end), [&](LinkId a, LinkId b) {
        return metrics.links[index(a)].congestion < metrics.links[index(b)].congestion;
      });
}

CellPanel panel_of(const std::vector<LinkId>& links, const Network& network, const Metrics& metrics,
                   int rows) {
  CellPanel panel;
  panel.columns = narrow<int>(strip_columns);
  panel.rows = rows;
  const std::size_t cells = strip_columns * static_cast<std::size_t>(rows);
  const std::size_t block = std::max<std::size_t>((links.size() + cells - 1) / cells, 1);
  for (std::size_t first = 0; first < links.size(); first += block) {
    const std::size_t end = std::min(first + block, links.size());
    const LinkId link = heaviest(links, first, end, metrics);
    panel.values.push_back(metrics.links[index(link)].congestion.value);
    panel.names.push_back(end - first == 1 ? network.link_name(link)
                                           : fmt::format("{}, the heaviest of {} links",
                                                         network.link_name(link), end - first));
  }
  panel.values.resize(cells, 0);
  panel.names.resize(cells);
  return panel;
}

constexpr int max_side = 128;  // along a side

/// Group of a router; nothing for a host.
std::optional<int> group_of(const GroupLayout& layout, int vertex) {
  if (vertex < layout.first_router) return std::nullopt;
  return layout.group_of(vertex - layout.first_router);
}

/// The groups at the ends of these links, of all links all groups.
std::vector<int> groups_of(const Network& network, const GroupLayout& layout, const LinkSet& only) {
  std::vector<int> groups;
  if (only.empty()) {
    for (int g = 0; g < layout.groups.size; ++g) groups.push_back(g);
    return groups;
  }
  for (std::size_t l = 0; l < only.size(); ++l) {
    const auto ends = only[l] ? network.link_ends(id_at<LinkId>(l)) : std::nullopt;
    if (!ends) continue;
    for (const int vertex : {ends->from, ends->to})
      if (const auto group = group_of(layout, vertex)) groups.push_back(*group);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

/// Routers in planes of the first two axes, each with the links that leave it; in large ones
/// squares of routers. Nothing for more than 1,024 planes.
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

/// A panel per kind of links, a row in it for each plane (rail) of the network: none hides behind
/// another. Nothing where there is one plane, or more than fit.
std::optional<CellPicture> rail_cells(const Network& network, const Metrics& metrics,
                                      const LinkSet& only) {
  constexpr int max_rails = 64;
  const NetworkPlanes planes = network.facts().planes;
  if (planes.count < 2 || planes.count > max_rails || !planes.plane_of) return std::nullopt;
  CellPicture picture;
  picture.title = "Load of links by rail";
  picture.row_axis = "rail";
  picture.column_axis = "links of a rail in the order of the network";
  const auto kinds = links_by_kind(network, only);
  const auto classes = network.link_classes();
  std::size_t max_in_cell = 1;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].empty()) continue;
    const std::string name = k < classes.size() ? classes[k].name : "links";
    std::vector<std::vector<LinkId>> rails(index(planes.count));
    for (const LinkId link : kinds[k])
      if (const int rail = planes.plane_of(link); rail >= 0 && rail < planes.count)
        rails[index(rail)].push_back(link);
    if (std::all_of(rails.begin(), rails.end(), [](const auto& rail) { return rail.empty(); })) {
      picture.panels.push_back(panel_of(kinds[k], network, metrics, planes.count));
      picture.panels.back().title = name + ", of no rail";
      continue;
    }
    CellPanel panel;
    std::size_t used = 0;
    for (std::size_t r = 0; r < rails.size(); ++r) {
      const CellPanel row = panel_of(rails[r], network, metrics, 1);
      const double most = *std::max_element(row.values.begin(), row.values.end());
      used += most > 0 ? 1 : 0;
      panel.row_names.push_back(std::to_string(r));
      panel.values.insert(panel.values.end(), row.values.begin(), row.values.end());
      for (const std::string& link : row.names)
        panel.names.push_back(link.empty() ? "" : fmt::format("rail {}, {}", r, link));
      max_in_cell = std::max(max_in_cell, (rails[r].size() + strip_columns - 1) / strip_columns);
    }
    panel.columns = narrow<int>(strip_columns);
    panel.rows = planes.count;
    panel.title = fmt::format("{}: {} of {} rails carry something", name, used, planes.count);
    picture.panels.push_back(std::move(panel));
  }
  if (picture.panels.empty()) return std::nullopt;
  picture.caption =
      fmt::format("A row is a rail, a cell {}.",
                  max_in_cell == 1 ? "a link"
                                   : fmt::format("up to {} of its links, its value the heaviest "
                                                 "of them",
                                                 max_in_cell));
  return picture;
}

/// A panel per kind of links (level and direction of a fat tree, ...), links in the order of their
/// ids, equally many in each cell.
CellPicture strip_cells(const Network& network, const Metrics& metrics, const LinkSet& only) {
  CellPicture picture;
  picture.title = "Load of links by kind";
  picture.row_axis = "";
  picture.column_axis = "links in the order of the network";
  const auto kinds = links_by_kind(network, only);
  const auto classes = network.link_classes();
  std::size_t longest = 1, max_in_cell = 1;
  for (const auto& links : kinds) longest = std::max(longest, links.size());
  const std::size_t rows =
      std::clamp<std::size_t>((longest + strip_columns - 1) / strip_columns, 1, max_strip_rows);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].empty()) continue;
    max_in_cell = std::max(max_in_cell,
                           (kinds[k].size() + strip_columns * rows - 1) / (strip_columns * rows));
    picture.panels.push_back(panel_of(kinds[k], network, metrics, narrow<int>(rows)));
    picture.panels.back().title = fmt::format(
        "{}, {}", k < classes.size() ? classes[k].name : "links", counted(kinds[k].size(), "link"));
  }
  if (picture.panels.empty()) picture.panels.push_back(CellPanel{"no links", 1, 1, {0}, {""}});
  picture.caption =
      max_in_cell == 1
          ? "A cell is a link."
          : fmt::format("A cell is up to {} links, its value the heaviest of them.", max_in_cell);
  return picture;
}

/// Row: from which group; column: to which; on the diagonal links between routers of a
/// group; cables of hosts are left out.
CellPicture group_cells(const Network& network, const GroupLayout& layout, const Metrics& metrics,
                        const LinkSet& only) {
  const auto& [name, num_groups, joint] = layout.groups;
  const std::vector<int> shown = groups_of(network, layout, only);
  std::vector<int> place(static_cast<std::size_t>(num_groups), -1);
  for (std::size_t g = 0; g < shown.size(); ++g)
    place[static_cast<std::size_t>(shown[g])] = static_cast<int>(g);
  const int groups = std::max(static_cast<int>(shown.size()), 1);
  const int block = (groups + max_side - 1) / max_side;
  const int side = (groups + block - 1) / block;
  CellPicture picture;
  picture.title = "Load of links by " + layout.plural;
  picture.caption = fmt::format(
      "The heaviest link from one {} to another; on the diagonal, between its "
      "routers. Cables of hosts are left out.",
      name);
  if (groups < num_groups)
    picture.caption += fmt::format(" Shown are {} of {} {}.", groups, num_groups, layout.plural);
  if (block > 1) picture.caption += fmt::format(" A cell is {0} x {0} {1}.", block, layout.plural);
  picture.row_axis = "from " + name;
  picture.column_axis = "to " + name;
  for (int first = 0; first < groups; first += block) {
    const int last = std::min(first + block, groups) - 1;
    const auto group = [&](int at) {
      return shown.empty() ? 0 : shown[static_cast<std::size_t>(at)];
    };
    picture.row_names.push_back(first == last ? layout.groups.label(group(first))
                                              : fmt::format("{}{}{}\xE2\x80\x93{}", layout.plural,
                                                            joint, group(first), group(last)));
  }
  picture.column_names = picture.row_names;
  CellPanel panel{"", side, side, {}, {}};
  panel.values.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) continue;
    const auto at = [&](int vertex) {
      const auto group = group_of(layout, vertex);
      return group ? place[static_cast<std::size_t>(*group)] : -1;
    };
    const int from = at(ends->from), to = at(ends->to);
    if (from < 0 || to < 0) continue;
    double& value = panel.values[index(from / block * side + to / block)];
    value = std::max(value, metrics.links[static_cast<std::size_t>(l)].congestion.value);
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace

CellPicture link_cells(const Network& network, const Metrics& metrics, const LinkSet& only) {
  const auto layout = network.layout();
  std::optional<CellPicture> picture;
  if (layout && std::holds_alternative<PlaneLayout>(*layout))
    picture = plane_cells(network, std::get<PlaneLayout>(*layout), metrics);
  if (layout && std::holds_alternative<GroupLayout>(*layout))
    picture = group_cells(network, std::get<GroupLayout>(*layout), metrics, only);
  if (!picture) picture = rail_cells(network, metrics, only);
  if (!picture) picture = strip_cells(network, metrics, only);
  picture->name = "link-cells";
  return std::move(*picture);
}

}  // namespace vtopo::detail

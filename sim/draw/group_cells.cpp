#include <fmt/format.h>

#include <algorithm>

#include "sim/draw/link_cells.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_cells = 128;  // along a side

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

}  // namespace

CellPicture group_cells(const Network& network, const GroupLayout& layout, const Metrics& metrics,
                        const LinkSet& only) {
  const auto& [name, num_groups, joint] = layout.groups;
  const std::vector<int> shown = groups_of(network, layout, only);
  std::vector<int> place(static_cast<std::size_t>(num_groups), -1);
  for (std::size_t g = 0; g < shown.size(); ++g)
    place[static_cast<std::size_t>(shown[g])] = static_cast<int>(g);
  const int groups = std::max(static_cast<int>(shown.size()), 1);
  const int block = (groups + max_cells - 1) / max_cells;
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

}  // namespace vtopo::detail

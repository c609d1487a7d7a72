#include "netmodels/models/tree/answers.hpp"

#include <fmt/format.h>

#include <utility>

#include "netmodels/link_rates.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

std::string tree_description(const TreeSpec& spec) {
  std::vector<int> arities, distances;
  std::vector<LinkRates> rates;
  for (const TreeLevel& level : spec.levels) {
    arities.push_back(level.arity);
    distances.push_back(level.distance);
    rates.push_back(level.rates);
  }
  return fmt::format("tree:{}@{}{}", fmt::join(arities, ":"), fmt::join(distances, ":"),
                     rate_keys(rates, spec.defaults));
}

std::vector<HostGroups> tree_groups(const TreeSpec& spec) {
  std::vector<HostGroups> groups;
  std::int64_t hosts = 1;
  for (const TreeLevel& level : spec.levels)
    groups.push_back({hosts *= level.arity, level.distance});
  return groups;
}

std::vector<HostParts> tree_parts(const TreeRows& tree) {
  HostParts subtrees{"subtree", "subtrees", {}, true};
  for (std::size_t row = 1; row < tree.rows().size(); ++row)
    subtrees.partitions.push_back(
        equal_parts(tree.num_hosts(), tree.rows()[row].hosts, tree.rows()[row].count));
  if (subtrees.partitions.empty()) return {};
  return {std::move(subtrees)};
}

std::vector<VertexCells> tree_cuts(const TreeRows& tree) {
  std::vector<VertexCells> families;
  for (std::size_t row = 0; row < tree.rows().size(); ++row) {
    const TreeRow& here = tree.rows()[row];
    if (here.count < 2) continue;
    VertexCells cells{row == 0 ? "hosts" : fmt::format("subtrees of level {}", row),
                      here.count,
                      {},
                      AxisKind::complete,
                      here.link_hops};
    for (std::size_t below = 0; below <= row; ++below) {
      const TreeRow& inside = tree.rows()[below];
      for (int i = 0; i < inside.count; ++i)
        cells.cell_of.push_back(i / (here.hosts / inside.hosts));
    }
    families.push_back(std::move(cells));
  }
  return families;
}

HostSites tree_sites(const TreeSpec& spec) {
  HostSites sites{spec.levels.front().arity, {}};
  for (std::size_t level = 1; level < spec.levels.size(); ++level)
    sites.axes.push_back({spec.levels[level].arity, AxisKind::complete});
  return sites;
}

std::vector<std::int64_t> tree_distance_profile(const TreeRows& tree) {
  std::vector<std::int64_t> at{1};
  for (std::size_t row = 0; row < tree.rows().size(); ++row) {
    const std::int64_t here = tree.rows()[row].hosts;
    const std::int64_t above =
        row + 1 < tree.rows().size() ? tree.rows()[row + 1].hosts : tree.num_hosts();
    at.resize(static_cast<std::size_t>(tree.rows()[row].distance) + 1);
    at.back() += above - here;
  }
  return at;
}

std::optional<Bisection> tree_bisection(const TreeRows& tree) {
  // Rows that hold one subtree are not a cut.
  std::size_t top = tree.rows().size();
  while (top > 0 && tree.rows()[top - 1].count == 1) --top;
  if (top == 0) return std::nullopt;
  const TreeRow& row = tree.rows()[top - 1];
  const auto per_host = [](const TreeRow& one) { return one.link.bandwidth.value / one.hosts; };
  if (row.count % 2 != 0) return std::nullopt;
  for (const TreeRow& inside : tree.rows())
    if (inside.hosts < row.hosts && per_host(inside) < per_host(row)) return std::nullopt;
  const int links = row.count / 2;
  return Bisection{row.link.bandwidth * links, links, true,
                   "closed form: half of the subtrees below the root"};
}

LevelLayout tree_picture(const TreeRows& tree) {
  LevelLayout layout{{}, tree.rows().size() > 1 ? tree.rows()[1].hosts : tree.num_hosts()};
  for (std::size_t row = 0; row < tree.rows().size(); ++row)
    layout.levels.push_back(
        {row == 0 ? "hosts" : fmt::format("level {}", row), tree.rows()[row].count});
  layout.levels.push_back({fmt::format("level {}", tree.rows().size()), 1});
  return layout;
}

}  // namespace vtopo::detail

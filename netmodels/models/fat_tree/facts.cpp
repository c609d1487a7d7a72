#include "netmodels/models/fat_tree/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "netmodels/links.hpp"

namespace vtopo::detail {

namespace {

std::string fat_tree_description(const FatTreeSpec& spec) {
  std::vector<int> children, parents, cables;
  std::vector<LinkRates> rates;
  for (const FatTreeLevel& level : spec.levels) {
    children.push_back(level.children);
    parents.push_back(level.parents);
    cables.push_back(level.cables);
    rates.push_back(level.rates);
  }
  return fmt::format("fat-tree:{};{};{};{}{}{}", spec.levels.size(), fmt::join(children, ","),
                     fmt::join(parents, ","), fmt::join(cables, ","),
                     spec.down == DownCables::dmodk ? ",down=dmodk" : "",
                     rate_keys(rates, spec.defaults));
}

/// Subtrees; routes between them meet at the lowest switches above both.
std::vector<HostGroups> fat_tree_hierarchy(const FatTreeSpec& spec) {
  std::vector<HostGroups> levels;
  std::int64_t hosts = 1;
  int hops = 0;
  for (const FatTreeLevel& level : spec.levels)
    levels.push_back({hosts *= level.children, hops += 2});
  return levels;
}

std::vector<LinkClass> fat_tree_classes(const FatTreeLevels& levels) {
  std::vector<LinkClass> classes;
  for (int l = 0; l < levels.size(); ++l) {
    const int end = l + 1 < levels.size() ? levels[l + 1].first_cable : levels.num_cables();
    const std::string below = l == 0 ? "hosts" : fmt::format("s{}", l);
    classes.push_back({fmt::format("{} to s{} switches", below, l + 1),
                       2 * std::int64_t{end - levels[l].first_cable}, levels[l].link.bandwidth,
                       levels[l].link.latency});
  }
  return classes;
}

/// `leaf`: hosts below a switch of level 1; `pod`: below the switches of a subtree of level 2.
std::vector<HostParts> fat_tree_parts(const FatTreeLevels& levels) {
  std::vector<HostParts> parts;
  const std::pair<const char*, const char*> names[] = {{"leaf", "leaves"}, {"pod", "pods"}};
  for (int l = 0; l < levels.size() && l < 2; ++l) {
    const int hosts = levels[l].leaves * levels[l].shape.children;
    const auto [name, plural] = names[l];
    parts.push_back(
        {name, plural, {equal_parts(levels.num_hosts(), hosts, levels.num_hosts() / hosts)}});
  }
  return parts;
}

/// Subtrees of each level below the roots, hosts first. A flow leaves the subtree of its source on
/// every level below the peak, and enters as many: each link is in the cut of one subtree.
std::vector<VertexCells> fat_tree_cuts(const FatTreeLevels& levels) {
  std::vector<VertexCells> families;
  for (int l = 0; l < levels.size() && levels[l].leaves < levels.num_hosts(); ++l) {
    const char* const name = l == 0 ? "hosts" : l == 1 ? "leaf switches" : "subtrees";
    const int leaves = levels[l].leaves;
    VertexCells cells{name, levels.num_hosts() / leaves, {}, AxisKind::complete, 1};
    for (int level = 0; level <= l; ++level) {
      const FatTreeCables& here = levels[level];
      const int nodes = here.low_radix * (levels.num_hosts() / here.leaves);
      const int per_subtree = here.low_radix * (leaves / here.leaves);
      for (int position = 0; position < nodes; ++position)
        cells.cell_of.push_back(position / per_subtree);
    }
    families.push_back(std::move(cells));
  }
  return families;
}

/// Hosts by hops from any of them.
std::vector<std::int64_t> fat_tree_distance_profile(const FatTreeLevels& levels) {
  std::vector<std::int64_t> at{1};
  for (const FatTreeCables& level : levels.all()) {
    at.push_back(0);
    at.push_back(std::int64_t{level.leaves} * (level.shape.children - 1));
  }
  return at;
}

/// What one subtree of a level can send upwards.
struct Uplinks {
  std::int64_t hosts;   ///< below the subtree
  std::int64_t cables;  ///< out of the subtree
  BytesPerSecond bandwidth;

  double per_host() const {
    return bandwidth.value * static_cast<double>(cables) / static_cast<double>(hosts);
  }
};

/// Where no level narrows, any half sends at its full injection bandwidth (the tree is
/// rearrangeably non-blocking: Zahavi 2010, as `FatTreeSpec`). Where one does, with an even number
/// of subtrees below the roots: the narrowest level of half of the subtrees, as what a subtree can
/// send grows less and less with the number of its hosts that send.
std::optional<Bisection> fat_tree_bisection(const FatTreeLevels& levels) {
  int top = levels.size();
  while (top > 0 && levels[top - 1].shape.children == 1) --top;
  if (top == 0) return std::nullopt;  // one host
  std::vector<Uplinks> uplinks;
  uplinks.reserve(index(top));
  for (int l = 0; l < top; ++l)
    uplinks.push_back({levels[l].leaves, levels[l].cables_of_subtree(), levels[l].link.bandwidth});
  const auto narrowest = std::min_element(
      uplinks.begin(), uplinks.end(),
      [](const Uplinks& a, const Uplinks& b) { return a.per_host() < b.per_host(); });
  const std::int64_t subtrees = levels.num_hosts() / 2 / narrowest->hosts;
  const std::int64_t links = subtrees * narrowest->cables;
  const BytesPerSecond bandwidth = narrowest->bandwidth * static_cast<double>(links);
  if (narrowest == uplinks.begin())
    return Bisection{bandwidth, links, true, "closed form: no level narrows, full bisection"};
  if (levels[top - 1].shape.children % 2 != 0) return std::nullopt;
  return Bisection{bandwidth, links, true, "closed form: narrowest level of half of the subtrees"};
}

/// Levels of switches.
LevelLayout fat_tree_layout(const FatTreeLevels& levels) {
  LevelLayout layout{{{"hosts", levels.num_hosts()}}, levels[0].shape.children};
  for (int l = 0; l < levels.size(); ++l) {
    const FatTreeCables& below = levels[l];
    const int subtrees = levels.num_hosts() / below.leaves / below.shape.children;
    const int switches = l + 1 < levels.size() ? below.low_radix * below.shape.parents * subtrees
                                               : levels.num_roots();
    layout.levels.push_back({fmt::format("level {}", l + 1), switches});
  }
  return layout;
}

}  // namespace

void add_fat_tree_facts(const FatTreeSpec& spec, const FatTreeLevels& levels, NetworkFacts& facts) {
  const int at_leaf = levels[0].shape.children;
  facts.description = fat_tree_description(spec);
  facts.hierarchy = fat_tree_hierarchy(spec);
  facts.hop_metric = TreeMetric{facts.hierarchy};
  facts.sites = HostSites{at_leaf, {{levels.num_hosts() / at_leaf, AxisKind::complete}}};
  facts.layout = fat_tree_layout(levels);
  facts.simgrid_cluster = plain_cluster("FAT_TREE", facts.description);
  facts.link_classes = fat_tree_classes(levels);
  facts.link_class = [&](LinkId link) { return levels.level_of(link); };
  facts.injection_bandwidth = [&](HostId) { return levels[0].link.bandwidth * levels[0].ports(); };
  facts.cables_per_host = levels[0].ports();
  facts.parts = [&] { return fat_tree_parts(levels); };
  facts.cuts = [&] { return fat_tree_cuts(levels); };
  facts.distance_profile = [&](std::int64_t) { return fat_tree_distance_profile(levels); };
  facts.bisection = [&] { return fat_tree_bisection(levels); };
}

}  // namespace vtopo::detail

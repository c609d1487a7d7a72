#include "netmodels/more_models/dragonfly_plus/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "netmodels/links.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// The cells of a family with the vertices of some kinds; cells without hosts are left out.
VertexCells cells_with_hosts(std::string name, const std::vector<int>& hosts_of, double hops) {
  VertexCells cells{std::move(name), 0, {}, AxisKind::complete, hops};
  cells.count = narrow<int>(
      std::count_if(hosts_of.begin(), hosts_of.end(), [](int hosts) { return hosts > 0; }));
  return cells;
}

/// Number of each part among those with hosts; -1 without.
std::vector<int> numbers_with_hosts(const std::vector<int>& hosts_of) {
  std::vector<int> numbers;
  int next = 0;
  numbers.reserve(hosts_of.size());
  for (const int hosts : hosts_of) numbers.push_back(hosts > 0 ? next++ : -1);
  return numbers;
}

std::vector<int> hosts_of_leaves(const DragonflyPlusCells& cells) {
  std::vector<int> hosts;
  hosts.reserve(index(cells.num_leaves()));
  for (int leaf = 0; leaf < cells.num_leaves(); ++leaf) hosts.push_back(cells.hosts_of(leaf));
  return hosts;
}

std::vector<int> hosts_of_cells(const DragonflyPlusCells& cells) {
  std::vector<int> hosts;
  hosts.reserve(index(cells.cells()));
  for (int cell = 0; cell < cells.cells(); ++cell)
    hosts.push_back(cells.first_host(cells.first_leaf(cell + 1)) -
                    cells.first_host(cells.first_leaf(cell)));
  return hosts;
}

/// Leaves and cells as nested groups; none where they are not equal.
std::vector<HostGroups> dragonfly_plus_groups(const DragonflyPlusSpec& spec, int hosts) {
  if (!spec.hosts.empty()) return {};
  const std::int64_t leaf = spec.hosts_per_leaf;
  return {{leaf, 2}, {leaf * spec.leaves, 4}, {hosts, 5}};
}

/// Most hosts that divide the number at every leaf: they are as far from all others.
int dragonfly_plus_site(const DragonflyPlusCells& cells) {
  if (cells.are_equal()) return cells.hosts_of(0);
  int site = 0;
  for (const int hosts : hosts_of_leaves(cells)) site = std::gcd(site, hosts);
  return site;
}

/// Most links between any two hosts.
int dragonfly_plus_diameter(const DragonflyPlusCells& cells) {
  // Hosts are numbered cell by cell and leaf by leaf: the first and the last of them are as far
  // apart as any.
  const HostId first{0}, last{cells.num_hosts() - 1};
  return cells.hops(first, last);
}

/// `leaf` and `cell`, numbered through the network.
std::vector<HostParts> dragonfly_plus_parts(const DragonflyPlusCells& cells) {
  HostPartition leaves{cells.num_leaves(), {}}, whole{cells.cells(), {}};
  for (int h = 0; h < cells.num_hosts(); ++h) {
    leaves.part_of.push_back(cells.leaf(HostId{h}));
    whole.part_of.push_back(cells.cell(leaves.part_of.back()));
  }
  return {{"leaf", "leaves", {std::move(leaves)}}, {"cell", "cells", {std::move(whole)}}};
}

/// Hosts, leaves and cells, those with hosts. A flow takes the cables of both hosts, a link of each
/// of two leaves, and a link that is in the cuts of two cells.
std::vector<VertexCells> dragonfly_plus_cuts(const DragonflyPlusCells& cells) {
  const int hosts = cells.num_hosts();
  const std::vector<int> in_leaf = hosts_of_leaves(cells), in_cell = hosts_of_cells(cells);
  const std::vector<int> leaf_number = numbers_with_hosts(in_leaf);
  const std::vector<int> cell_number = numbers_with_hosts(in_cell);
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  VertexCells leaves = cells_with_hosts("leaves", in_leaf, 1);
  VertexCells whole = cells_with_hosts("cells", in_cell, 0.5);
  const auto add = [&](int leaf, int cell) {
    leaves.cell_of.push_back(leaf < 0 ? -1 : leaf_number[static_cast<std::size_t>(leaf)]);
    whole.cell_of.push_back(cell_number[static_cast<std::size_t>(cell)]);
  };
  for (int h = 0; h < hosts; ++h) {
    single.cell_of.push_back(h);
    add(cells.leaf(HostId{h}), cells.cell(cells.leaf(HostId{h})));
  }
  for (int cell = 0; cell < cells.cells(); ++cell) {
    for (int spine = 0; spine < cells.spines(); ++spine) add(-1, cell);
    for (int leaf = cells.first_leaf(cell); leaf < cells.first_leaf(cell + 1); ++leaf)
      add(leaf, cell);
  }
  std::vector<VertexCells> families;
  for (VertexCells* family : {&single, &leaves, &whole})
    if (family->count > 1) families.push_back(std::move(*family));
  return families;
}

/// The most hosts of any leaf, then of any cell.
std::vector<std::int64_t> dragonfly_plus_distance_profile(const DragonflyPlusCells& cells) {
  const std::vector<int> in_leaf = hosts_of_leaves(cells), in_cell = hosts_of_cells(cells);
  const std::int64_t leaf = *std::max_element(in_leaf.begin(), in_leaf.end());
  const std::int64_t cell = *std::max_element(in_cell.begin(), in_cell.end());
  return {1, 0, leaf - 1, 0, cell - leaf, cells.num_hosts() - cell};
}

/// With equal cells and an even number of hosts, the least of two cuts: the cables of half of the
/// hosts, or half of the cells from the others (of an odd number, and the cables of half a cell).
/// - If spines have as many links to each other cell and a leaf can send up all that it receives,
///   leaves set no limit, as an even spread over spines shows: then cells are single switches, and
///   the cut of k of them is k (cells - k) times their links, and the cables of the hosts that are
///   missing for a half, which is least at either end.
/// - Otherwise, for an even number of cells: let every host send f to every other one at the same
///   time. A cut with m of n hosts below switches on one side carries m (n - m) f at least, and
///   n/2 - m cables, which is concave in m too. If links between cells are the first that this
///   fills, half of the cells have no more than that.
/// @param rates of the links of hosts, leaves and cells.
std::optional<Bisection> dragonfly_plus_bisection(const DragonflyPlusSpec& spec,
                                                  const std::vector<LinkProperties>& rates) {
  const std::int64_t leaf = spec.hosts_per_leaf, cell = leaf * spec.leaves, cells = spec.cells;
  const std::int64_t hosts = cell * cells;
  if (!spec.hosts.empty() || hosts % 2 != 0) return std::nullopt;
  const auto bandwidth = [&](DragonflyPlusLinks kind) {
    return rates[static_cast<std::size_t>(kind)].bandwidth.value;
  };
  const double host = bandwidth(DragonflyPlusLinks::host);
  const double global = bandwidth(DragonflyPlusLinks::global);
  // Between the switches of k cells and all others, and the cables of hosts on the other side.
  const auto cut = [&](std::int64_t k) {
    const std::int64_t links = k * (cells - k) * spec.links;
    const std::int64_t cables = std::abs(hosts / 2 - k * cell);
    return Bisection{{static_cast<double>(links) * global + static_cast<double>(cables) * host},
                     links + cables,
                     true,
                     "closed form: links between cells, cables of hosts"};
  };
  const bool is_even = cells == 1 || spec.links % spec.spines == 0;
  if (is_even &&
      bandwidth(DragonflyPlusLinks::local) * spec.spines >= host * static_cast<double>(leaf)) {
    const Bisection by_cables = cut(0), by_cells = cut(cells / 2);
    return by_cells.bandwidth < by_cables.bandwidth ? by_cells : by_cables;
  }
  // From a leaf up to a spine: what leaves the cell is spread over the links between cells; what
  // stays in it is where there is room.
  const double leaving = static_cast<double>(leaf * cell * (cells - 1));
  const double staying = static_cast<double>(leaf * (cell - leaf));
  const double links_at_spine =
      std::ceil(static_cast<double>((cells - 1) * spec.links) / spec.spines);
  const double from_leaf = std::max(static_cast<double>(leaf * cell) * links_at_spine / spec.links,
                                    (leaving + staying) / spec.spines);
  // Volumes per second from each host to each other one that fill a link.
  const double each_local = bandwidth(DragonflyPlusLinks::local) / from_leaf;
  const double each_global = global * spec.links / static_cast<double>(cell * cell);
  const double quarter = static_cast<double>(hosts) * static_cast<double>(hosts) / 4;
  const Bisection by_cables = cut(0), by_cells = cut(cells / 2);
  if (by_cables.bandwidth.value <= quarter * std::min(each_local, each_global)) return by_cables;
  if (cells % 2 != 0 || each_local < each_global) return std::nullopt;
  return by_cells;
}

/// Cells on a circle, leaves below their spines.
NetworkLayout dragonfly_plus_picture(const DragonflyPlusSpec& spec,
                                     const DragonflyPlusCells& cells) {
  GroupLayout layout{
      {"cell", spec.cells, " "},
      "cells",
      1 + (spec.leaves + spec.spines - 1) / spec.spines,
      spec.spines,
      cells.num_hosts(),
      fmt::format("{}{} at each leaf", cells.are_equal() ? "" : "up to ", spec.hosts_per_leaf),
      "the cables from each leaf to all spines"};
  for (int cell = 0; cell <= cells.cells(); ++cell)
    layout.starts.push_back(cells.first_vertex(cell) - layout.first_router);
  return layout;
}

}  // namespace

HostRuns dragonfly_plus_runs(const DragonflyPlusSpec& spec) {
  return {"cells", "cells", "leaves", spec.cells, spec.leaves, spec.hosts_per_leaf};
}

std::string dragonfly_plus_description(const DragonflyPlusSpec& spec) {
  std::string text = fmt::format("dragonfly-plus:{};{},{};{}", spec.cells, spec.leaves, spec.spines,
                                 spec.hosts_per_leaf);
  if (spec.links != 1) text += fmt::format(",links={}", spec.links);
  text += dragonfly_plus_runs(spec).describe(spec.hosts);
  const std::vector<LinkRates> rates{spec.host_rates, spec.local_rates, spec.global_rates};
  return text + rate_keys(rates, spec.defaults);
}

void add_dragonfly_plus_facts(const DragonflyPlusSpec& spec, const DragonflyPlusCells& cells,
                              const std::vector<LinkProperties>& rates, NetworkFacts& facts) {
  const auto rate = [&](DragonflyPlusLinks kind) { return rates[static_cast<std::size_t>(kind)]; };
  const int site = dragonfly_plus_site(cells);
  facts.description = dragonfly_plus_description(spec);
  facts.hierarchy = dragonfly_plus_groups(spec, cells.num_hosts());
  facts.hop_metric = RouterMetric{site};
  facts.sites = HostSites{site, {}};
  if (cells.are_equal()) {
    facts.hop_metric = TreeMetric{facts.hierarchy};
    facts.sites->axes = {{spec.leaves, AxisKind::complete}, {spec.cells, AxisKind::complete}};
  }
  facts.layout = dragonfly_plus_picture(spec, cells);
  for (const auto& [name, kind] : {std::pair{"hosts", DragonflyPlusLinks::host},
                                   std::pair{"leaf to spine", DragonflyPlusLinks::local},
                                   std::pair{"cell to cell", DragonflyPlusLinks::global}})
    facts.link_classes.push_back(
        {name, cells.links_of(kind), rate(kind).bandwidth, rate(kind).latency});
  facts.link_class = [&](LinkId link) { return static_cast<int>(cells.kind(link)); };
  facts.injection_bandwidth = [&](HostId) { return rates.front().bandwidth; };
  facts.diameter = [&] { return dragonfly_plus_diameter(cells); };
  facts.parts = [&] { return dragonfly_plus_parts(cells); };
  facts.cuts = [&] { return dragonfly_plus_cuts(cells); };
  facts.distance_profile = [&](std::int64_t) { return dragonfly_plus_distance_profile(cells); };
  facts.bisection = [&] { return dragonfly_plus_bisection(spec, rates); };
}

}  // namespace vtopo::detail

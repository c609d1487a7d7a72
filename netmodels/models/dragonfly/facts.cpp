#include "netmodels/models/dragonfly/facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "netmodels/links.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

void check_routing(const DragonflySpec& spec) {
  const Routing rule = spec.routing.rule;
  if (rule == Routing::positive || rule == Routing::split)
    throw UsageError(
        fmt::format("routing {} is a rule for ties on tori; a dragonfly accepts simgrid, ecmp, "
                    "valiant",
                    to_string(rule)));
  if (!spec.routing.simgrid_compatible) return;
  const auto refuse = [](const std::string& why) {
    throw UsageError("SimGrid 3.32 has no routes for a dragonfly with " + why);
  };
  if (rule != Routing::simgrid)
    refuse(fmt::format("routing {}; accepted: simgrid", to_string(rule)));
  if (spec.groups > spec.blades)
    refuse(fmt::format("more groups ({}) than blades per chassis ({})", spec.groups, spec.blades));
  if (spec.arrangement != GlobalArrangement::simgrid)
    refuse(fmt::format("arrangement {}; accepted: simgrid", arrangement_name(spec.arrangement)));
  if (spec.cables_per_pair != 1)
    refuse(fmt::format("{} cables between two groups; accepted: 1", spec.cables_per_pair));
  if (!spec.hosts.empty()) refuse("unequal groups");
}

/// Host, green, black, blue: as DragonflyColour.
std::array<LinkRates, 4> rates_by_colour(const DragonflySpec& spec) {
  return {spec.host_rates, spec.green_rates, spec.black_rates, spec.blue_rates};
}

/// Routers, chassis and groups; two hops or none to and from the blue link between groups.
std::vector<HostGroups> dragonfly_hierarchy(const DragonflySpec& spec,
                                            const DragonflyLayout& layout) {
  if (!layout.has_equal_groups()) return {};
  const std::int64_t router = spec.hosts_per_blade, chassis = router * spec.blades;
  const int inside_chassis = 2 + (spec.blades > 1 ? 1 : 0);
  const int inside_group = 2 + layout.local_diameter();
  return {{router, 2},
          {chassis, inside_chassis},
          {chassis * spec.chassis, inside_group},
          {layout.num_hosts(), inside_group + 2}};
}

/// `group`, `chassis` and `router`, numbered through the machine.
std::vector<HostParts> dragonfly_parts(const DragonflySpec& spec, const DragonflyLayout& layout) {
  const int hosts = layout.num_hosts();
  if (!layout.has_equal_groups()) {
    HostPartition groups{layout.groups(), {}}, routers{layout.num_routers(), {}};
    for (int h = 0; h < hosts; ++h) {
      routers.part_of.push_back(layout.router_number(HostId{h}));
      groups.part_of.push_back(layout.router(routers.part_of.back()).group);
    }
    return {{"group", "groups", {groups}},
            {"chassis", "chassis", {groups}},
            {"router", "routers", {routers}}};
  }
  const int router = spec.hosts_per_blade, chassis = spec.blades * router,
            group = spec.chassis * chassis;
  return {{"group", "groups", {equal_parts(hosts, group, hosts / group)}},
          {"chassis", "chassis", {equal_parts(hosts, chassis, hosts / chassis)}},
          {"router", "routers", {equal_parts(hosts, router, hosts / router)}}};
}

/// Most hosts that divide the number at every router: they are as far from all others.
int dragonfly_site(const DragonflySpec& spec) {
  int site = spec.hosts.empty() ? spec.hosts_per_blade : 0;
  for (const auto& group : spec.hosts)
    for (const int hosts : group) site = std::gcd(site, hosts);
  return site;
}

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

/// Hosts, routers, chassis and groups. A flow takes a link of each of its two hosts, and between
/// routers links that are in the cuts of two routers. Not for SimGrid's lists of links.
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

/// Two hops within a router, three to the routers at the other ends of a router's links, of which
/// no router has more than counted here, four to all others at least, whatever the routes.
std::vector<std::int64_t> dragonfly_distance_profile(const DragonflySpec& spec,
                                                     const DragonflyLayout& layout) {
  std::vector<std::int64_t> blue(static_cast<std::size_t>(layout.num_routers()), 0);
  for (int l = 0; l < layout.num_links(); ++l)
    if (layout.colour(LinkId{l}) == DragonflyColour::blue)
      ++blue[static_cast<std::size_t>(layout.link_ends(LinkId{l}).from - layout.num_hosts())];
  const std::int64_t most = *std::max_element(blue.begin(), blue.end());
  const std::int64_t hosts = spec.hosts_per_blade;
  const std::int64_t direct = spec.blades - 1 + spec.chassis - 1;
  const std::int64_t near = std::min<std::int64_t>(direct + most, layout.num_routers() - 1);
  if (layout.has_equal_groups())
    return {1, 0, hosts - 1, hosts * near, hosts * (layout.num_routers() - 1 - near)};
  // No router has more hosts than counted here, nor more of them near.
  const std::int64_t all = layout.num_hosts();
  const std::int64_t at_router = std::min(hosts, all);
  const std::int64_t at_near = std::min(hosts * near, all - at_router);
  return {1, 0, at_router - 1, at_near, all - at_router - at_near};
}

/// Groups on a circle, chassis as rows of routers.
GroupLayout dragonfly_picture(const DragonflySpec& spec, const DragonflyLayout& layout) {
  const bool is_equal = layout.has_equal_groups();
  const int square = static_cast<int>(std::ceil(std::sqrt(spec.blades)));
  const int columns = is_equal ? spec.blades : square;
  const int rows = is_equal ? spec.chassis : (spec.blades + columns - 1) / columns;
  std::vector<int> starts;
  for (int group = 0; !is_equal && group <= spec.groups; ++group)
    starts.push_back(layout.first_router(group));
  return {{"group", spec.groups, " "},
          "groups",
          rows,
          columns,
          layout.num_hosts(),
          fmt::format("{}{} at each router", is_equal ? "" : "up to ", spec.hosts_per_blade),
          "a router's cables to all others of its row (green) and of its column (black)",
          std::move(starts)};
}

std::optional<SimgridCluster> dragonfly_cluster(const DragonflySpec& spec) {
  auto cluster = plain_cluster("DRAGONFLY", dragonfly_description(spec));
  if (cluster && spec.chassis != 1)
    cluster->difference =
        "SimGrid's routes inside a dragonfly group of several chassis are not valid paths";
  if (cluster && spec.groups > spec.blades)
    cluster->fatal = fmt::format("a dragonfly with more groups ({}) than blades per chassis ({})",
                                 spec.groups, spec.blades);
  return cluster;
}

}  // namespace

const DragonflySpec& checked_dragonfly(const DragonflySpec& spec) {
  check_routing(spec);
  for (const LinkRates& rates : rates_by_colour(spec)) link_properties(rates, spec.defaults);
  return spec;
}

std::array<LinkProperties, 4> dragonfly_links(const DragonflySpec& spec) {
  const std::array<int, 4> cables{1, spec.green_links, spec.black_links, spec.blue_links};
  const auto rates = rates_by_colour(spec);
  std::array<LinkProperties, 4> links;
  for (std::size_t colour = 0; colour < links.size(); ++colour) {
    links[colour] = link_properties(rates[colour], spec.defaults);
    links[colour].bandwidth = links[colour].bandwidth * cables[colour];
  }
  return links;
}

HostRuns dragonfly_groups(const DragonflySpec& spec) {
  return {"groups", "groups", "routers", spec.groups, spec.blades, spec.hosts_per_blade};
}

std::string dragonfly_description(const DragonflySpec& spec) {
  std::string text =
      fmt::format("dragonfly:{},{};{},{};{},{};{}", spec.groups, spec.blue_links, spec.chassis,
                  spec.black_links, spec.blades, spec.green_links, spec.hosts_per_blade);
  if (spec.arrangement != GlobalArrangement::simgrid)
    text += fmt::format(",arrangement={}", arrangement_name(spec.arrangement));
  if (spec.cables_per_pair != 1) text += fmt::format(",pair_links={}", spec.cables_per_pair);
  text += dragonfly_groups(spec).describe(spec.hosts);
  return text + rate_keys(rates_by_colour(spec), spec.defaults);
}

void add_dragonfly_facts(const DragonflySpec& spec, const DragonflyLayout& layout,
                         NetworkFacts& facts) {
  const bool as_simgrid = spec.routing.simgrid_compatible;
  facts.hierarchy = dragonfly_hierarchy(spec, layout);
  // The routes that SimGrid forgets a chassis on differ by direction.
  if (!as_simgrid || spec.chassis == 1 || spec.blades == 1)
    facts.hop_metric = RouterMetric{dragonfly_site(spec)};
  facts.sites = HostSites{dragonfly_site(spec), {}, !as_simgrid, spec.cables_per_pair};
  facts.layout = dragonfly_picture(spec, layout);
  facts.simgrid_cluster = dragonfly_cluster(spec);
  facts.parts = [&] { return dragonfly_parts(spec, layout); };
  if (facts.routing == Routing::valiant)
    facts.assumptions = {
        "detours (routing valiant, adaptive) are between groups; inside a group routes are direct"};
  if (as_simgrid) return;
  facts.cuts = [&] { return dragonfly_cuts(spec, layout); };
  facts.distance_profile = [&](std::int64_t) { return dragonfly_distance_profile(spec, layout); };
}

}  // namespace vtopo::detail

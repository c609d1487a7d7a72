#include "netmodels/endpoints/endpoint_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netmodels/graph/bisection_bound.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_router_hops = 255;  // of a RouterMetric

/// Hops inside both nodes of a flow between two.
int hops_inside(const EndpointIds& ids) {
  return 2 * ids.num_levels();
}

/// Groups of places inside a node, smallest first, and of those of nodes.
std::vector<HostGroups> groups_of(const std::vector<HostGroups>& inner, const EndpointIds& ids) {
  std::vector<HostGroups> groups;
  for (int level = 1; level <= ids.num_levels(); ++level)
    groups.push_back({ids.places_per_vertex(level), 2 * level});
  for (const HostGroups& group : inner)
    groups.push_back({group.hosts * ids.places_per_node(), group.hops + hops_inside(ids)});
  return groups;
}

/// Rule of a network whose nodes have an inside.
class PlaceMetric {
 public:
  PlaceMetric(const Network& inner, const EndpointIds& ids) : inner_(inner), ids_(ids) {}

  HopMetric operator()(const std::monostate&) const { return {}; }
  HopMetric operator()(const TreeMetric& metric) const {
    return TreeMetric{groups_of(metric.levels, ids_)};
  }
  /// Places of one node are as far from each other as the hosts of a router, if there is one level.
  HopMetric operator()(const GridMetric& metric) const {
    if (ids_.num_levels() > 1 || metric.grid.hosts_per_router > 1 || metric.host_hops > 0)
      return by_groups();
    return GridMetric{{metric.grid.axes, ids_.places_per_node()}, hops_inside(ids_)};
  }
  HopMetric operator()(const RouterMetric&) const { return by_groups(); }

 private:
  /// Places below one vertex of tier 1 are as far from all others.
  HopMetric by_groups() const {
    if (inner_.diameter() + hops_inside(ids_) > max_router_hops) return {};
    return RouterMetric{ids_.places_per_vertex(1)};
  }

  const Network& inner_;
  const EndpointIds& ids_;
};

/// Cells of the places and tiers of each node, or of each group of a node.
class CellMaker {
 public:
  explicit CellMaker(const EndpointIds& ids) : ids_(ids) {}

  /// Cells of what is below each vertex of a tier, that vertex included.
  VertexCells below(int tier, std::string name, double hops) const {
    const int count = ids_.num_places() / ids_.places_per_vertex(tier);
    VertexCells cells{std::move(name), count, {}, AxisKind::complete, hops};
    for (int t = 0; t <= std::min(tier, ids_.num_tiers()); ++t) {
      const int vertices = ids_.places_per_vertex(tier) / ids_.places_per_vertex(t);
      for (int v = 0; v < count * vertices; ++v) cells.cell_of.push_back(v / vertices);
    }
    return cells;
  }

  /// Cells of nodes with their host of the inner network.
  VertexCells with_hosts(std::string name) const {
    VertexCells cells = below(ids_.num_levels(), std::move(name), 0);
    for (int node = 0; node < ids_.num_nodes(); ++node)
      cells.cell_of.insert(cells.cell_of.end(), index(ids_.ports_per_node()), node);
    return cells;
  }

  /// Cells of the inner network with all that is inside its hosts.
  VertexCells outside(VertexCells inner) const {
    const VertexCells nodes = below(ids_.num_levels(), {}, 0);
    std::vector<int> cell_of;
    for (const int node : nodes.cell_of) cell_of.push_back(inner.of(node));
    for (int node = 0; node < ids_.num_nodes(); ++node)
      cell_of.insert(cell_of.end(), index(ids_.ports_per_node()), inner.of(node));
    const auto hosts = std::min(inner.cell_of.size(), index(ids_.num_nodes()));
    cell_of.insert(cell_of.end(), inner.cell_of.begin() + static_cast<std::ptrdiff_t>(hosts),
                   inner.cell_of.end());
    inner.cell_of = std::move(cell_of);
    return inner;
  }

 private:
  const EndpointIds& ids_;
};

/// Layouts of the inner network with what is between its routers and the places.
struct LayoutMaker {
  const EndpointIds& ids;
  const EndpointSpec& endpoints;

  NetworkLayout operator()(PlaneLayout layout) const {
    const int per_router = layout.hosts_per_router;
    layout.hosts_per_router *= ids.places_per_node();
    for (int tier = 1; tier <= ids.num_tiers(); ++tier)
      layout.attached.push_back(
          {ids.first_vertex(tier), layout.hosts_per_router / ids.places_per_vertex(tier)});
    if (layout.first_router > 0)
      layout.attached.push_back({ids.first_port(), per_router * ids.ports_per_node()});
    layout.first_router += ids.first_inner_vertex();
    return layout;
  }

  NetworkLayout operator()(GroupLayout layout) const {
    layout.first_router += ids.first_inner_vertex();
    if (ids.num_levels() > 0)
      layout.hosts = fmt::format("{} in each node, nodes {}", ids.places_per_node(), layout.hosts);
    return layout;
  }

  NetworkLayout operator()(LevelLayout layout) const {
    std::vector<LayoutLevel> levels{{"hosts", ids.num_places()}};
    bool has_nodes = false;
    for (int tier = 1; tier <= ids.num_tiers(); ++tier) {
      const std::string& name = endpoints.levels[static_cast<std::size_t>(tier) - 1].name;
      has_nodes = ids.places_per_vertex(tier) == ids.places_per_node();
      levels.push_back({has_nodes ? fmt::format("nodes ({})", name) : name,
                        ids.num_places() / ids.places_per_vertex(tier)});
    }
    layout.levels.front() = {has_nodes || ids.ports_per_node() > 1 ? "interfaces" : "nodes",
                             layout.levels.front().vertices * ids.ports_per_node()};
    layout.hosts_per_switch = ids.places_per_node();
    if (ids.num_tiers() > 0) layout.hosts_per_switch = ids.places_per_vertex(1);
    layout.levels.insert(layout.levels.begin(), levels.begin(), levels.end());
    return layout;
  }
};

HopMetric endpoint_hop_metric(const Network& inner, const EndpointIds& ids) {
  if (ids.num_levels() == 0) return inner.hop_metric();
  return std::visit(PlaceMetric(inner, ids), inner.hop_metric());
}

std::optional<HostCoordinates> endpoint_coordinates(const Network& inner, const EndpointIds& ids) {
  auto coordinates = inner.coordinates();
  if (coordinates) coordinates->hosts_per_router *= ids.places_per_node();
  return coordinates;
}

std::vector<HostGroups> endpoint_hierarchy(const Network& inner, const EndpointIds& ids) {
  const auto groups = inner.hierarchy();
  return groups.empty() ? groups : groups_of(groups, ids);
}

/// The places below one vertex of tier 1 are a site. Vertices of one tier in a node may be permuted
/// in all nodes, and so may the hosts at each place of the inner network.
std::optional<HostSites> endpoint_sites(const Network& inner, const EndpointIds& ids) {
  auto sites = inner.sites();
  if (!sites || ids.num_levels() == 0) return sites;
  std::vector<NetworkAxis> axes;
  for (int level = 2; level <= ids.num_levels(); ++level)
    axes.push_back(
        {ids.places_per_vertex(level) / ids.places_per_vertex(level - 1), AxisKind::complete});
  axes.push_back({sites->hosts_per_site, AxisKind::complete});
  if (!sites->axes.empty()) sites->axes.insert(sites->axes.begin(), axes.begin(), axes.end());
  sites->hosts_per_site = ids.places_per_vertex(1);
  return sites;
}

std::vector<std::int64_t> endpoint_distance_profile(const Network& inner, const EndpointIds& ids,
                                                    std::int64_t count) {
  const int per_node = ids.places_per_node();
  auto nodes = inner.distance_profile(count / per_node + 1);
  if (ids.num_levels() == 0 || nodes.empty()) return nodes;
  // Hosts of the inner network at 0 hops from each other are the host itself.
  std::vector<std::int64_t> profile(nodes.size() + index(hops_inside(ids)), 0);
  for (int level = 0; level <= ids.num_levels(); ++level)
    profile[index(2 * level)] =
        ids.places_per_vertex(level) - (level == 0 ? 0 : ids.places_per_vertex(level - 1));
  for (std::size_t hops = 1; hops < nodes.size(); ++hops)
    profile[hops + index(hops_inside(ids))] += nodes[hops] * per_node;
  return profile;
}

std::vector<HostParts> endpoint_parts(const Network& inner, const EndpointIds& ids) {
  std::vector<HostParts> parts = inner.parts();
  if (ids.num_levels() == 0) return parts;
  for (HostParts& kind : parts)
    for (HostPartition& partition : kind.partitions) {
      std::vector<int> part_of;
      part_of.reserve(index(ids.num_places()));
      for (const int part : partition.part_of)
        part_of.insert(part_of.end(), index(ids.places_per_node()), part);
      partition.part_of = std::move(part_of);
    }
  parts.push_back(
      {"node", "nodes", {equal_parts(ids.num_places(), ids.places_per_node(), ids.num_nodes())}});
  return parts;
}

/// Beyond those of the inner network: places, groups inside nodes, what the nodes' own interfaces
/// or top links let out, and what the links of the inner network do.
std::vector<VertexCells> endpoint_cuts(const Network& inner, const EndpointIds& ids,
                                       const EndpointSpec& endpoints) {
  const CellMaker make(ids);
  std::vector<VertexCells> families;
  for (VertexCells& cells : inner.cuts()) families.push_back(make.outside(std::move(cells)));
  const bool has_walks = !families.empty();
  std::vector<std::string> names;
  for (const NodeLevel& level : endpoints.levels) names.push_back(level.name + " groups");
  for (int level = 0; level < ids.num_levels(); ++level)
    families.push_back(make.below(level, level == 0 ? "hosts" : names[index(level - 1)], 1));
  if (ids.interfaces() > 0) families.push_back(make.below(ids.num_levels(), "interfaces", 0));
  if (has_walks && ids.num_levels() > 0) families.push_back(make.with_hosts("nodes"));
  return families;
}

std::optional<NetworkLayout> endpoint_layout(const Network& inner, const EndpointIds& ids,
                                             const EndpointSpec& endpoints) {
  const auto layout = inner.layout();
  if (!layout) return std::nullopt;
  return std::visit(LayoutMaker{ids, endpoints}, *layout);
}

/// A flag of a node as one of each of its places.
std::vector<bool> flags_of_places(const std::vector<bool>& nodes, const EndpointIds& ids) {
  std::vector<bool> flags;
  for (const bool node : nodes) flags.insert(flags.end(), index(ids.places_per_node()), node);
  return flags;
}

}  // namespace

NetworkFacts endpoint_facts(const Network& inner, const EndpointIds& ids,
                            const EndpointSpec& endpoints, bool same_hops) {
  const NetworkFacts& known = inner.facts();
  NetworkFacts facts;
  facts.num_hosts = ids.num_places();
  facts.num_links = ids.num_links();
  facts.description_defaults = known.description_defaults;
  facts.routing = known.routing;
  facts.splits_flows = known.splits_flows;
  facts.computes_runs = known.computes_runs;
  facts.assumptions = known.assumptions;
  facts.down_hosts = flags_of_places(known.down_hosts, ids);
  facts.down_links = known.down_links;
  facts.coordinates = endpoint_coordinates(inner, ids);
  facts.hierarchy = endpoint_hierarchy(inner, ids);
  facts.layout = endpoint_layout(inner, ids, endpoints);
  if (same_hops) {
    facts.hop_metric = endpoint_hop_metric(inner, ids);
    facts.sites = endpoint_sites(inner, ids);
  }
  facts.host_place = [&](HostId place) -> HostPlace {
    const HostId node{ids.node_of(place)};
    if (ids.num_levels() == 0) return inner.host_place(node);
    return {inner.host_name(node), ids.number_of(place)};
  };
  if (known.flow_latency)
    facts.flow_latency = [&](HostId source, HostId destination) {
      return inner.flow_latency(HostId{ids.node_of(source)}, HostId{ids.node_of(destination)});
    };
  facts.parts = [&] { return endpoint_parts(inner, ids); };
  facts.cuts = [&] { return endpoint_cuts(inner, ids, endpoints); };
  facts.distance_profile = [&](std::int64_t count) {
    return endpoint_distance_profile(inner, ids, count);
  };
  return facts;
}

bool is_filled_by_uniform_traffic(const Network& network, const Bisection& bisection) {
  constexpr double rounding = 1e-9;
  const auto graph = LinkGraph::of(network);
  const auto rate = graph ? uniform_traffic_rate(*graph, network) : std::nullopt;
  const int half = network.num_hosts() / 2;
  return rate && rate->value * half * (network.num_hosts() - half) >=
                     bisection.bandwidth.value * (1 - rounding);
}

}  // namespace vtopo::detail

#include "cli/verbs/platform/platform_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>

#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "netmodels/fabric/effective_bisection.hpp"
#include "netmodels/graph/bisection_bound.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Where SimGrid has to be asked for each route, fewer are looked at.
constexpr int max_hosts_without_ends = 256;

LinkCounts count_links(const Network& network) {
  LinkCounts counts;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    const auto ends = network.link_ends(LinkId{l});
    if (ends && ends->from == ends->to)
      ++counts.loopback;
    else if (link.hops <= 0)
      ++counts.limiter;
    else if (link.sharing == LinkSharing::fatpipe)
      ++counts.fatpipe;
    else
      ++counts.shared;
  }
  return counts;
}

using Json = nlohmann::ordered_json;

Json json_of(const LinkCounts& counts) {
  return {{"shared", counts.shared},
          {"fatpipe", counts.fatpipe},
          {"limiter", counts.limiter},
          {"loopback", counts.loopback}};
}

Json json_of(const LinkRanges& kind) {
  return {{"kind", kind.name},
          {"links", kind.links},
          {"least_bandwidth", vtopo::detail::json_of(kind.least_bandwidth)},
          {"most_bandwidth", vtopo::detail::json_of(kind.max_bandwidth)},
          {"least_latency", kind.least_latency.value},
          {"most_latency", kind.max_latency.value}};
}

Json json_of(const InjectionRange& range) {
  return {{"least", vtopo::detail::json_of(range.least)},
          {"most", vtopo::detail::json_of(range.most)},
          {"hosts_looked_at", range.hosts_looked_at}};
}

Json json_of(const DistanceSummary& distances) {
  return {{"diameter", distances.diameter}, {"mean", distances.mean},
          {"exact", distances.exact},       {"hosts_looked_at", distances.hosts_looked_at},
          {"pairs", distances.pairs},       {"pairs_without_route", distances.unreached}};
}

Json json_of(const Bisection& bisection) {
  return {{"bandwidth", vtopo::detail::json_of(bisection.bandwidth)},
          {"links", bisection.links},
          {"exact", bisection.exact},
          {"method", bisection.method}};
}

Json json_of(const EffectiveBisection& effective) {
  return {{"matchings", effective.options.matchings},
          {"seed", effective.options.seed},
          {"as_given", effective.as_given},
          {"random_routes", effective.random ? Json(*effective.random) : Json(nullptr)}};
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

/// Groups of hosts that reach each other: first host and size; null if links are unknown.
Json groups_of(const PlatformDescription& description) {
  if (description.groups.empty()) return nullptr;
  Json groups = Json::array();
  for (std::size_t g = 0; g < description.groups.size(); ++g)
    groups.push_back(
        {{"first_host", description.group_heads[g]}, {"hosts", description.groups[g].size()}});
  return groups;
}

}  // namespace

void InjectionRange::add(BytesPerSecond bandwidth) {
  least = hosts_looked_at == 0 ? bandwidth : std::min(least, bandwidth);
  most = std::max(most, bandwidth);
  ++hosts_looked_at;
}

namespace {

InjectionRange injection_range(const Network& network, int max_hosts) {
  InjectionRange range;
  const int step = std::max(1, (network.num_hosts() + max_hosts - 1) / max_hosts);
  for (int h = 0; h < network.num_hosts(); h += step) {
    if (!network.is_up(HostId{h})) continue;
    range.add(network.injection_bandwidth(HostId{h}));
  }
  return range;
}

/// Places of the node of `first`; a host without places is its own node.
int places_of_node(const Network& network, int first) {
  const std::string node = network.host_place(HostId{first}).node;
  int end = first + 1;
  while (end < network.num_hosts() && network.host_place(HostId{end}).node == node) ++end;
  return end - first;
}

/// What the places [first, end) of a node send into the network together: at each vertex inside,
/// named after the node, no more than arrives there from below, and than its links let out.
BytesPerSecond leaving_node(const LinkGraph& graph, const Network& network, int first, int end) {
  const std::string inside = network.host_place(HostId{first}).node + ':';
  std::map<int, BytesPerSecond> arriving;
  std::set<int> seen;
  for (int place = first; place < end; ++place) {
    seen.insert(place);
    if (network.is_up(HostId{place})) arriving[place] = {std::numeric_limits<double>::infinity()};
  }
  BytesPerSecond leaving;
  while (!arriving.empty()) {
    std::map<int, BytesPerSecond> above;
    for (const auto& [vertex, most] : arriving) seen.insert(vertex);
    for (const auto& [vertex, most] : arriving) {
      BytesPerSecond out;
      std::map<int, BytesPerSecond> up;
      for (const Arc& arc : graph.out_arcs(vertex)) {
        if (seen.contains(arc.to)) continue;
        const bool stays = network.vertex_name(arc.to).starts_with(inside);
        (stays ? up[arc.to] : out) += network.link(arc.link).bandwidth;
      }
      leaving += std::min(most, out);
      for (const auto& [next, bandwidth] : up) above[next] += std::min(most, bandwidth);
    }
    arriving = std::move(above);
  }
  return leaving;
}

InjectionRange node_injection_range(const LinkGraph& graph, const Network& network) {
  InjectionRange range;
  for (int first = 0, end = 0; first < network.num_hosts(); first = end) {
    end = first + places_of_node(network, first);
    bool works = false;
    for (int place = first; place < end; ++place) works = works || network.is_up(HostId{place});
    if (works) range.add(leaving_node(graph, network, first, end));
  }
  return range;
}

/// Whether a search in the links would take minutes and gigabytes, and nothing but the shortest
/// paths and a cut is found by it: a specification without edits joins all its hosts.
bool is_too_large_to_search(const LoadedNetwork& loaded) {
  constexpr int most_links = 1 << 22;
  return loaded.network->num_links() > most_links && !loaded.edited &&
         loaded.network->description_defaults() != nullptr && loaded.network->coordinates();
}

/// The graph of the links that work; null where only routes are known, or looked at.
std::shared_ptr<const LinkGraph> working_links(const LoadedNetwork& loaded) {
  if (is_too_large_to_search(loaded)) return nullptr;
  return LinkGraph::of(*loaded.network, loaded.failed_links);
}

bool has_route(const Network& network, HostId from, HostId to) {
  try {
    network.hops(from, to);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// What stands inside of hosts comes first and is named after them: `host-0:nvlink.1`,
/// `host-0:port`.
int count_switches(const LinkGraph& graph, const Network& network) {
  std::unordered_set<std::string> nodes;
  int first = graph.num_hosts();
  for (; first < graph.num_vertices(); ++first) {
    const std::string name = network.vertex_name(first);
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos) break;
    if (nodes.empty())
      for (int h = 0; h < network.num_hosts(); ++h)
        nodes.insert(network.host_place(HostId{h}).node);
    if (!nodes.contains(name.substr(0, colon))) break;
  }
  return graph.num_vertices() - first;
}

void describe_links(const LoadedNetwork& loaded, const LinkGraph& graph,
                    PlatformDescription& description) {
  const Network& network = *loaded.network;
  description.switches = count_switches(graph, network);
  description.shortest = link_distances(graph, network);
  description.bisection = network.bisection();
  if (!description.bisection && description.hosts_up > 1) {
    description.bisection = estimate_bisection(graph, network);
    description.bisection_bound = bisection_lower_bound(graph, network);
  }
  description.groups = connected_hosts(graph, network);
  // What routes reach counts: coordinates and bypasses join hosts that no links do.
  if (description.groups.size() > 1 &&
      has_route(network, description.groups[0].front(), description.groups[1].front())) {
    description.groups.clear();
    description.switches.reset();
    description.shortest.reset();
    description.bisection.reset();
    description.bisection_bound.reset();
  }
  for (const auto& group : description.groups)
    description.group_heads.push_back(network.host_name(group.front()));
}

}  // namespace

PlatformDescription describe_platform(const Scenario& scenario) {
  const LoadedNetwork loaded = load_network(scenario, console());
  const Network& network = *loaded.network;
  constexpr int most_hosts = 1 << 24;  // ten seconds and some gigabytes
  if (network.num_hosts() > most_hosts)
    throw UsageError(fmt::format("\"{}\" has {} hosts: platform describe accepts up to {}",
                                 loaded.text, network.num_hosts(), most_hosts));
  const auto graph = working_links(loaded);
  PlatformDescription description;
  description.scenario = described(scenario, network_groups);
  description.typed = loaded.text;
  description.network = loaded.model;
  description.routing = to_string(network.routing());
  description.splits_flows = network.splits_flows();
  description.hosts = network.num_hosts();
  for (int h = 0; h < network.num_hosts(); ++h) description.hosts_up += network.is_up(HostId{h});
  description.links = network.num_links();
  description.counts = count_links(network);
  description.kinds = link_ranges(network);
  description.injection =
      injection_range(network, graph ? network.num_hosts() : max_hosts_without_ends);
  description.places_per_node = network.num_hosts() > 0 ? places_of_node(network, 0) : 1;
  if (graph && description.places_per_node > 1)
    description.node_injection = node_injection_range(*graph, network);
  description.routes =
      route_distances(network, graph ? max_hosts_for_all_pairs : max_hosts_without_ends);
  if (const auto& pair = description.routes.unreached_pair)
    description.unreached_pair.emplace(network.host_name(pair->first),
                                       network.host_name(pair->second));
  if (graph) describe_links(loaded, *graph, description);
  if (!graph && is_too_large_to_search(loaded)) {
    description.bisection = network.bisection();
    if (!description.bisection) description.bisection = smallest_plane_cut(network);
  }
  return description;
}

EffectiveBisection describe_matchings(const Scenario& scenario,
                                      const EffectiveBisectionOptions& options) {
  EffectiveBisection effective{options, 0, std::nullopt};
  effective.as_given =
      effective_bisection(*load_network(scenario, console()).network, options.matchings,
                          options.seed, MatchingRoutes::as_given);
  Scenario splitting = scenario;
  splitting.routing = to_string(Routing::ecmp);
  splitting.simgrid_compatible = false;
  std::shared_ptr<const Network> network;
  try {
    network = load_network(splitting, console()).network;
  } catch (const UsageError&) {
    return effective;  // no such rule: a platform file knows one route per pair
  }
  effective.random =
      effective_bisection(*network, options.matchings, options.seed, MatchingRoutes::random);
  return effective;
}

Json json_of(BytesPerSecond bandwidth) {
  return std::isfinite(bandwidth.value) ? Json(bandwidth.value) : Json(nullptr);
}

std::string render_json(const PlatformDescription& description) {
  Json object = Json::object();
  object["schema"] = "vtopo/platform-describe/v1";
  object["scenario"] = scenario_object(description.scenario);
  object["network"] = description.network;
  object["routing"] = description.routing;
  object["splits_flows"] = description.splits_flows;
  object["hosts"] = description.hosts;
  object["hosts_up"] = description.hosts_up;
  object["switches"] = description.switches ? Json(*description.switches) : Json(nullptr);
  object["links"] = description.links;
  object["links_by_sharing"] = json_of(description.counts);
  object["kinds"] = Json::array();
  for (const LinkRanges& kind : description.kinds) object["kinds"].push_back(json_of(kind));
  object["routes"] = json_of(description.routes);
  object["shortest_ways"] = json_or_null(description.shortest);
  object["connected_groups"] = groups_of(description);
  object["injection_bandwidth"] = json_of(description.injection);
  if (description.node_injection)
    object["node_injection_bandwidth"] = json_of(*description.node_injection);
  object["bisection"] = json_or_null(description.bisection);
  if (description.bisection_bound)
    object["bisection"]["at_least"] = json_of(*description.bisection_bound);
  if (description.effective) object["effective_bisection"] = json_of(*description.effective);
  return object.dump(2) + '\n';
}

void use_plain_file(Scenario& scenario, const std::string& file) {
  if (file.empty()) return;
  const std::string& other = scenario.network.empty() ? scenario.platform : scenario.network;
  if (!other.empty())
    throw UsageError(fmt::format("the interconnect is given twice: \"{}\" and --{} {}", file,
                                 scenario.network.empty() ? "platform" : "network", other));
  const std::string option = machine_option(file);
  (option.starts_with("--network") ? scenario.network : scenario.platform) = file;
}

}  // namespace vtopo::detail

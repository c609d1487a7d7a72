#include "netmodels/platform/generate_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "netmodels/platform/generate_zones.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_groups = 100;
constexpr std::size_t max_runs = 150;  // each pair of them has a route in the file

/// A host name as SimGrid's clusters make it: a prefix and a number.
struct NumberedName {
  std::string prefix;
  std::int64_t number = 0;
};

std::optional<NumberedName> numbered_name(const std::string& name) {
  constexpr std::size_t most_digits = 9;
  std::size_t digits = name.find_last_not_of("0123456789") + 1;
  digits = std::min(name.find_first_not_of('0', digits), name.size());
  if (digits == name.size() && name.ends_with('0')) --digits;
  if (digits == name.size() || name.size() - digits > most_digits) return std::nullopt;
  return NumberedName{name.substr(0, digits), *parse_integer(name.substr(digits))};
}

/// Hosts of one group whose names begin alike: a cluster.
struct HostRun {
  int group = 0;
  std::string prefix;
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers;  ///< first and last of each range

  void add(std::int64_t number) {
    if (!numbers.empty() && numbers.back().second + 1 == number)
      numbers.back().second = number;
    else
      numbers.emplace_back(number, number);
  }

  std::string radical() const {
    std::string text;
    for (const auto& [first, last] : numbers) {
      append_format(text, "{}{}", text.empty() ? "" : ",", first);
      if (last > first) append_format(text, "-{}", last);
    }
    return text;
  }
};

/// Groups of vertices with all hosts in one each: the fewest, and at least two.
VertexCells switch_groups(const Network& network) {
  VertexCells all{"switch", 1, std::vector<int>(index(network.num_hosts()), 0)};
  VertexCells best = all;
  for (VertexCells& cells : network.cuts()) {
    const auto hosts = std::min<std::ptrdiff_t>(network.num_hosts(), std::ssize(cells.cell_of));
    const bool whole = hosts == network.num_hosts() &&
                       std::all_of(cells.cell_of.begin(), cells.cell_of.begin() + hosts,
                                   [](int cell) { return cell >= 0; });
    const bool is_joined = cells.joined == AxisKind::complete;
    if (!whole || !is_joined || cells.count < 2 || cells.count > max_groups) continue;
    if (best.count == 1 || cells.count < best.count) best = std::move(cells);
  }
  return best;
}

/// @param by_number whether the host names are left to SimGrid's numbers.
std::vector<HostRun> runs_of(const Network& network, const VertexCells& groups, bool by_number) {
  std::vector<HostRun> runs;
  for (int h = 0; h < network.num_hosts(); ++h) {
    auto name = by_number ? NumberedName{"host-", h} : numbered_name(network.host_name(HostId{h}));
    if (!name) return runs_of(network, groups, true);
    const int group = groups.of(h);
    if (runs.empty() || runs.back().group != group || runs.back().prefix != name->prefix)
      runs.push_back({group, name->prefix, {}});
    runs.back().add(name->number);
  }
  return runs;
}

/// What joins the groups: bandwidths of all cables between two of them, and out of each.
struct GroupCables {
  explicit GroupCables(const Network& network, const VertexCells& groups)
      : out(index(groups.count), 0) {
    for (int l = 0; l < network.num_links() && groups.count > 1; ++l) {
      const auto ends = network.link_ends(LinkId{l});
      if (!ends) continue;
      const int from = groups.of(ends->from), to = groups.of(ends->to);
      const double bandwidth = network.link(LinkId{l}).bandwidth.value;
      if (from == to || !std::isfinite(bandwidth)) continue;
      if (from >= 0) out[index(from)] += bandwidth;
      if (from >= 0 && to >= 0) between[{from, to}] += bandwidth;
    }
    const auto pairs = static_cast<std::size_t>(groups.count) * index(groups.count - 1);
    complete = groups.count > 1 && between.size() == pairs;
  }

  std::vector<double> out;
  std::map<std::pair<int, int>, double> between;
  bool complete = false;  ///< whether every two groups have cables of their own
};

std::string link_element(const std::string& name, double bandwidth, Seconds latency) {
  return fmt::format(
      "    <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n",
      name, xml_bandwidth({bandwidth}), xml_latency(latency));
}

std::string links_between(const GroupCables& cables, int groups, Seconds latency) {
  std::string text;
  if (cables.complete)
    for (int a = 0; a < groups; ++a)
      for (int b = a + 1; b < groups; ++b)
        text += link_element(fmt::format("cables-{}-{}", a, b), cables.between.at({a, b}), latency);
  else
    for (int g = 0; g < groups && groups > 1; ++g)
      if (const double out = cables.out[index(g)]; out > 0)
        text += link_element(fmt::format("cables-{}", g), out, latency);
  return text;
}

std::string group_route(const GroupCables& cables, int a, int b) {
  if (a == b) return "<link_ctn id=\"inside\"/>";
  if (cables.complete)
    return fmt::format("<link_ctn id=\"cables-{}-{}\" direction=\"{}\"/>", std::min(a, b),
                       std::max(a, b), a < b ? "UP" : "DOWN");
  std::string text;
  if (cables.out[index(a)] > 0)
    append_format(text, "<link_ctn id=\"cables-{}\" direction=\"UP\"/>", a);
  if (cables.out[index(b)] > 0)
    append_format(text, "<link_ctn id=\"cables-{}\" direction=\"DOWN\"/>", b);
  return text;
}

/// What a host sends by; of hosts at one switch, and of places inside a node, no more than a route
/// to another one carries.
LinkProperties host_link(const Network& network, bool one_switch) {
  const int hosts = network.num_hosts();
  LinkProperties link =
      network.num_links() == 0 ? LinkProperties{{10e9}, {0}} : network.link(LinkId{0});
  const BytesPerSecond out = network.injection_bandwidth(HostId{0});
  if (std::isfinite(out.value) && out.value > 0) link.bandwidth = out;
  std::vector<LinkId> route;
  if ((one_switch || network.host_place(HostId{0}).core) && hosts > 1)
    network.append_route(HostId{0}, HostId{hosts - 1}, route);
  for (const LinkId on : route)
    link.bandwidth = std::min(link.bandwidth, network.link(on).bandwidth);
  return link;
}

/// A grid of hosts as a torus, whatever its rates and ends.
std::optional<SimgridCluster> ring_grid_of(const Network& network) {
  const auto grid = network.coordinates();
  if (!grid || grid->hosts_per_router != 1) return std::nullopt;
  SimgridCluster cluster{"TORUS", {}, "one bandwidth, and all of its dimensions are rings", {}};
  for (const NetworkAxis& axis : grid->axes) {
    if (axis.kind == AxisKind::complete || axis.size == 1) return std::nullopt;
    append_format(cluster.parameters, "{}{}", cluster.parameters.empty() ? "" : ",", axis.size);
  }
  return cluster;
}

SimgridView nearest_cluster(const Network& network, const SimgridCluster& cluster) {
  const LinkProperties link =
      network.num_links() == 0 ? LinkProperties{{10e9}, {0}} : network.link(LinkId{0});
  std::string kind = cluster.topology;
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](char c) { return c == '_' ? ' ' : static_cast<char>(c | 0x20); });
  return {
      "Full",
      fmt::format("    <cluster id=\"cluster\" prefix=\"host-\" suffix=\"\" radical=\"0-{}\" "
                  "speed=\"1Gf\"\n"
                  "             bw=\"{}\" lat=\"{}\" topology=\"{}\" topo_parameters=\"{}\"/>\n",
                  network.num_hosts() - 1, xml_bandwidth(link.bandwidth), xml_latency(link.latency),
                  cluster.topology, cluster.parameters),
      fmt::format("a {} of as many hosts: {}", kind, cluster.difference)};
}

}  // namespace

SimgridView simgrid_view(const Network& network) {
  auto cluster = network.simgrid_cluster();
  if (!cluster) cluster = ring_grid_of(network);
  const bool numbered = network.host_name(HostId{0}) == "host-0";
  if (cluster && cluster->fatal.empty() && numbered) return nearest_cluster(network, *cluster);
  const VertexCells groups = switch_groups(network);
  // Names that vtopo has made are as good as others.
  std::vector<HostRun> runs =
      runs_of(network, groups, network.host_name(HostId{0}).starts_with("host-0"));
  if (runs.size() > max_runs) runs = runs_of(network, groups, true);
  const GroupCables cables(network, groups);
  const LinkProperties link = host_link(network, groups.count == 1);
  std::string text;
  for (std::size_t r = 0; r < runs.size(); ++r)
    append_format(text,
                  "    <cluster id=\"c{}\" prefix=\"{}\" suffix=\"\" radical=\"{}\" speed=\"1Gf\" "
                  "bw=\"{}\" lat=\"{}\" router_id=\"switch-{}\"/>\n",
                  r, xml_escaped(runs[r].prefix), runs[r].radical(), xml_bandwidth(link.bandwidth),
                  xml_latency(link.latency), r);
  if (std::ssize(runs) > groups.count)  // routes without links are none to SimGrid
    append_format(text,
                  "    <link id=\"inside\" bandwidth=\"{}\" latency=\"0s\" "
                  "sharing_policy=\"FATPIPE\"/>\n",
                  xml_bandwidth(link.bandwidth));
  text += links_between(cables, groups.count, link.latency);
  for (std::size_t a = 0; a < runs.size(); ++a)
    for (std::size_t b = a + 1; b < runs.size(); ++b)
      append_format(text,
                    "    <zoneRoute src=\"c{0}\" dst=\"c{1}\" gw_src=\"switch-{0}\" "
                    "gw_dst=\"switch-{1}\">{2}</zoneRoute>\n",
                    a, b, group_route(cables, runs[a].group, runs[b].group));
  const std::string sentence =
      groups.count == 1 ? "all hosts at one switch"
                        : fmt::format("{}, each one switch, with the bandwidth of the cables {}",
                                      counted(groups.count, "group"),
                                      cables.complete ? "between two of them" : "out of it");
  return {"Full", std::move(text), sentence};
}

}  // namespace vtopo::detail

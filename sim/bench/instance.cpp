#include "sim/bench/instance.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "netmodels/network_spec.hpp"
#include "sim/bench/instances/families.hpp"
#include "sim/bench/qaplib.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/guest_topology.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view traffic_prefix = "traffic:";
constexpr std::string_view qap_prefix = "qap:";

std::vector<Instance> all_families() {
  std::vector<Instance> all;
  for (const auto family :
       {families::hypercubes, families::stencils_on_tori, families::random_geometric,
        families::stencils_on_trees, families::hosts_with_slots}) {
    auto list = family();
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

/// On grids ties at half a ring go the positive way, as in the families.
Routing usual_routing(const std::string& network) {
  const auto grid = make_network(network, {})->coordinates();
  const bool has_rings =
      grid && std::none_of(grid->axes.begin(), grid->axes.end(),
                           [](const NetworkAxis& axis) { return axis.kind == AxisKind::complete; });
  return has_rings ? Routing::positive : Routing::simgrid;
}

/// `GUEST@NETWORK`; names may hold an `@`, networks do not.
Instance given_instance(std::string_view text) {
  const std::size_t at = text.rfind('@');
  const std::string guest(text.substr(0, at)), network(text.substr(at + 1));
  if (guest.starts_with(qap_prefix)) return qap_instance(guest.substr(qap_prefix.size()), network);
  Instance instance;
  instance.name = text;
  instance.description = "given by its specification";
  instance.guest = guest;
  instance.network = network;
  instance.routing = usual_routing(network);
  return instance;
}

void add_matching(const std::string& pattern, std::vector<Instance>& chosen) {
  bool found = false;
  std::vector<std::string> names;
  for (const Instance& instance : built_in_instances()) {
    names.push_back(instance.name);
    const bool named = pattern == "all" || (pattern == "quick" && instance.quick) ||
                       fnmatch(pattern.c_str(), instance.name.c_str(), 0) == 0;
    if (!named) continue;
    found = true;
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const Instance& other) {
      return other.name == instance.name;
    });
    if (!twice) chosen.push_back(instance);
  }
  if (found) return;
  names.insert(names.end(), {"all", "quick"});
  throw UsageError(
      fmt::format("instance \"{}\" is unknown: accepted are all, quick, the names and patterns of "
                  "names of vtopo bench --list, qap:FILE and GUEST@NETWORK{}",
                  pattern, suggestion(pattern, names)));
}

CommGraph make_guest(const Instance& instance, const Network& network,
                     std::optional<Cartesian>& grid) {
  if (instance.guest.starts_with(qap_prefix))
    return qap_guest(instance.guest.substr(qap_prefix.size()), network);
  if (instance.guest.starts_with(traffic_prefix))
    return read_traffic(instance.guest.substr(traffic_prefix.size()), {});
  const GuestTopology topology = parse_guest_topology(instance.guest);
  std::vector<Bytes> volumes;
  for (const auto piece : split(instance.volumes, ',')) volumes.push_back(parse_bytes(piece));
  if (const Cartesian* cartesian = grid_of(topology)) grid = *cartesian;
  return make_comm_graph(topology, volumes);
}

}  // namespace

const std::vector<Instance>& built_in_instances() {
  static const std::vector<Instance> all = all_families();
  return all;
}

std::vector<Instance> choose_instances(std::string_view list) {
  if (list.find('@') != std::string_view::npos) return {given_instance(list)};
  std::vector<Instance> chosen;
  for (const std::string_view word : split(list, ',')) {
    if (word.starts_with(qap_prefix))
      chosen.push_back(qap_instance(std::string(word.substr(qap_prefix.size())), ""));
    else
      add_matching(std::string(word), chosen);
  }
  return chosen;
}

BenchProblem build(const Instance& instance) {
  BenchProblem problem;
  problem.network = make_network(instance.network, {}, {.rule = instance.routing});
  problem.allocation = make_allocation(*problem.network, "all", std::vector{instance.slots}, 1);
  problem.guest = make_guest(instance, *problem.network, problem.grid);
  check_fit(problem.guest.num_ranks(), problem.allocation);
  return problem;
}

}  // namespace vtopo::detail

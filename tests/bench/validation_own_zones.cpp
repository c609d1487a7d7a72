#include <fmt/format.h>

#include <algorithm>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "tests/bench/validation_report.hpp"
#include "topology/base/random.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

/// A network that SimGrid has, too.
struct SharedModel {
  std::string network;
  BareCluster cluster;
};

std::vector<BareFlow> drawn_flows(int num_hosts, bool equal, std::uint64_t seed) {
  Random random(seed);
  const auto hosts = static_cast<std::uint64_t>(num_hosts);
  std::vector<BareFlow> flows;
  for (int h = 0; h < num_hosts; ++h)
    for (int i = 0; i < 6; ++i) {
      const auto step = 1 + random.below(hosts - 1);
      const double volume = equal ? 1e9 : 1e6 * static_cast<double>(1 + random.below(2000));
      const auto to = (static_cast<std::uint64_t>(h) + step) % hosts;
      flows.push_back({HostId{h}, HostId{static_cast<int>(to)}, {volume}});
    }
  return flows;
}

std::vector<double> by_vtopo(const Network& network, const std::vector<BareFlow>& flows,
                             Solver solver) {
  std::vector<DirectedEdge> edges;
  for (const BareFlow& flow : flows)
    edges.push_back({Rank{number(flow.source)}, Rank{number(flow.destination)}, flow.volume});
  Allocation allocation;
  for (int h = 0; h < network.num_hosts(); ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(allocation.hosts.size(), 1);
  SimulationOptions options;
  options.solver = solver;
  return numbers(simulate(CommGraph(network.num_hosts(), edges), network,
                          Embedding(allocation.hosts, allocation), options)
                     .flow_finish);
}

}  // namespace

void check_own_zones(ValidationReport& report) {
  const SharedModel models[] = {
      {"torus:4x4x4", {"TORUS", "4,4,4", 64}},
      {"torus:5x3x2", {"TORUS", "5,3,2", 30}},
      {"fat-tree:2;4,4;1,2;1,1", {"FAT_TREE", "2;4,4;1,2;1,1", 16}},
      {"fat-tree:3;4,4,4;1,2,2;1,1,1", {"FAT_TREE", "3;4,4,4;1,2,2;1,1,1", 64}},
      {"dragonfly:4,1;1,1;4,1;3", {"DRAGONFLY", "4,1;1,1;4,1;3", 48}}};
  report.text +=
      "\n## By SimGrid alone\n\nThe same flows, six per host to random hosts, by a program that "
      "uses SimGrid's own `<cluster>` zones and routes, and nothing of vtopo: largest relative "
      "difference of the finish times of all flows.\n\n| network | volumes | flows | makespan by "
      "SimGrid alone, s | vtopo with SimGrid | vtopo's fast solver | agrees |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const auto& [spec, cluster] : models)
    for (const bool equal : {true, false}) {
      const auto network = make_network(spec, {.bandwidth = {1e9}, .latency = {0}});
      const auto flows = drawn_flows(cluster.num_hosts, equal, 1);
      const auto bare = simulate_on_bare_simgrid(cluster, {1e9}, flows);
      const double simgrid = largest_difference(by_vtopo(*network, flows, Solver::simgrid), bare);
      const double fast = largest_difference(by_vtopo(*network, flows, Solver::fast), bare);
      report.text += fmt::format("| `{}` | {} | {} | {:.6f} | {:.1e} | {:.1e} | {} |\n", spec,
                                 equal ? "equal" : "unequal", flows.size(),
                                 *std::max_element(bare.begin(), bare.end()), simgrid, fast,
                                 report.judge(std::max(simgrid, fast) <= accepted_difference));
    }
}

}  // namespace vtopo

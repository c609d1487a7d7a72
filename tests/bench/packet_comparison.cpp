// A second opinion on simulated times, by packets: ten contended cases of up to 256 hosts, three
// placements each. Prints a Markdown table, whose ratios README.md lists.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/sim/packet_model.hpp"
#include "tests/support/allocations.hpp"
#include "topology/comm_graph.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/patterns/permutations.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Case {
  std::string topology, pattern, network;
};

const std::vector<Case> cases{
    {"cart:4x4x4", "halo", "torus:4x4x4"},
    {"cart:8x8", "transpose", "torus:8x8"},
    {"cart:8x16", "shift:offset=5", "torus:8x16"},
    {"cart:8x8", "halo", "fat-tree:2;8,8;1,2;1,1"},
    {"cart:16x16", "transpose", "fat-tree:2;16,16;1,8;1,1"},
    {"cart:72", "shift:offset=8", "dragonfly:9,1;4,1;2,1;1"},
    {"cart:8x9", "halo", "dragonfly:9,1;4,1;2,1;1"},
    {"cart:64", "random:seed=3", "hyperx:4x4,per_router=4"},
    {"cart:8x8", "neighbor_alltoall", "dragonfly-plus:4;4,4;4"},
    {"cart:16", "alltoall:algorithm=linear", "fat-tree:2;4,4;1,2;1,1"},
};

/// Ranks in order, or shuffled by a seed.
Embedding placed(int ranks, std::uint64_t seed) {
  if (seed == 0) return tests::one_per_host(ranks);
  std::vector<HostId> hosts;
  for (const int host : random_permutation(ranks, seed)) hosts.push_back(HostId{host});
  return embedding_on(hosts);
}

double by_flows(const CommGraph& traffic, const Network& network, const Embedding& embedding) {
  SimulationOptions options;
  options.solver = Solver::fast;
  return simulate(traffic, network, embedding, options).makespan.value;
}

double by_packets(const CommGraph& traffic, const Network& network, const Embedding& embedding) {
  const auto finish = tests::PacketModel(traffic, network, embedding).run();
  return *std::max_element(finish.begin(), finish.end());
}

}  // namespace

int main() {
  constexpr double bytes = 256 * 4096;
  fmt::print(
      "| topology, pattern | network | placement | flows, ms | packets, ms | packets / flows | "
      "same order |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  std::vector<double> errors;
  int agree = 0, pairs = 0;
  for (const Case& one : cases) {
    const auto topology = parse_guest_topology(one.topology);
    const std::vector<Bytes> volume{Bytes{bytes}};
    const auto specs = parse_patterns(one.pattern);
    const CommGraph traffic = make_phases(specs.front(), topology, volume).front().traffic;
    const auto network = make_network(one.network, {});
    std::vector<double> flows, packets;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Embedding embedding = placed(traffic.num_ranks(), seed);
      flows.push_back(by_flows(traffic, *network, embedding));
      packets.push_back(by_packets(traffic, *network, embedding));
      errors.push_back(std::abs(std::log(packets.back() / flows.back())));
    }
    for (std::size_t p = 0; p < 3; ++p) {
      int same = 0, others = 0;
      for (std::size_t q = 0; q < 3; ++q) {
        if (q == p || std::abs(std::log(flows[p] / flows[q])) < 0.02) continue;
        ++others;
        const bool as_flows = (flows[p] < flows[q]) == (packets[p] < packets[q]);
        same += as_flows ? 1 : 0;
        if (q < p) {
          ++pairs;
          agree += as_flows ? 1 : 0;
        }
      }
      fmt::print("| `{}`, {} | `{}` | {} | {:.3f} | {:.3f} | {:.2f} | {} of {} |\n", one.topology,
                 one.pattern, one.network, p == 0 ? "block" : fmt::format("random {}", p),
                 flows[p] * 1e3, packets[p] * 1e3, packets[p] / flows[p], same, others);
    }
  }
  std::sort(errors.begin(), errors.end());
  fmt::print(
      "\n|ln(packets / flows)|: median {:.3f}, largest {:.3f}; {} of {} pairs of placements "
      "that differ by more than 2 % are in the same order\n",
      errors[errors.size() / 2], errors.back(), agree, pairs);
}

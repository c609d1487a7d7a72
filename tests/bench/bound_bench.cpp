// How tight lower bounds are: random small instances, each bound over the optimum of all
// embeddings. bound_bench [INSTANCES, default 1000]. Exit code 1 if a bound is above an optimum.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/base/random.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr std::array networks{"torus:4x4",
                              "torus:3x3x2",
                              "mesh:4x4",
                              "fat-tree:2;4,4;1,2;1,1",
                              "fat-tree:2;2,6;1,1;1,1",
                              "dragonfly:3,1;2,1;2,1;2",
                              "dragonfly-plus:3;2,2;3",
                              "hyperx:4x4",
                              "slim-fly:q=5,per_router=1"};

/// What was seen of one kind of instances.
struct Tightness {
  int instances = 0;
  double hop_bytes = 0, congestion = 0;              ///< sums of bound over optimum
  double least_hop_bytes = 1, least_congestion = 1;  ///< the loosest
  int violations = 0;
};

double ratio(double bound, double optimum) {
  return optimum > 0 ? bound / optimum : 1;
}

/// Random volumes on a random graph, or a grid.
CommGraph random_guest(int ranks, Random& random) {
  const Bytes one{1000};
  switch (random.below(4)) {
    case 0:
      return make_comm_graph(
          parse_guest_topology(fmt::format("cart:{}x{}", 2 - ranks % 2, ranks / (2 - ranks % 2))),
          {&one, 1});
    case 1:
      return make_comm_graph(parse_guest_topology(fmt::format("cart:{}p", ranks)), {&one, 1});
    default:
      break;
  }
  std::vector<DirectedEdge> edges;
  const auto density = 2 + random.below(6);
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b && random.below(8) < density)
        edges.push_back({Rank{a}, Rank{b}, Bytes{static_cast<double>(1 + random.below(10))}});
  return CommGraph(ranks, edges);
}

void add_instance(int hosts, int slots, Random& random, Tightness& tightness) {
  const auto network = make_network(networks[random.below(networks.size())], {});
  const Allocation allocation =
      make_allocation(*network, fmt::format("random:{}", hosts), {&slots, 1}, random.bits() >> 1);
  const CommGraph guest = random_guest(hosts * slots, random);
  const Bounds bounds = lower_bounds(guest, *network, allocation);
  auto order = slot_hosts(allocation);
  std::sort(order.begin(), order.end());
  double hop_bytes = std::numeric_limits<double>::infinity(), congestion = hop_bytes;
  do {
    const Metrics metrics = evaluate(guest, *network, Embedding(order, allocation));
    hop_bytes = std::min(hop_bytes, metrics.hop_bytes.value);
    congestion = std::min(congestion, metrics.max_congestion.value);
  } while (std::next_permutation(order.begin(), order.end()));
  const double of_hops = ratio(bounds.hop_bytes.value, hop_bytes);
  const double of_load = ratio(bounds.congestion.value, congestion);
  ++tightness.instances;
  tightness.violations += of_hops > 1 + 1e-9 || of_load > 1 + 1e-9;
  tightness.hop_bytes += of_hops;
  tightness.congestion += of_load;
  tightness.least_hop_bytes = std::min(tightness.least_hop_bytes, of_hops);
  tightness.least_congestion = std::min(tightness.least_congestion, of_load);
}

}  // namespace

int main(int argc, char** argv) {
  const int instances = argc > 1 ? std::atoi(argv[1]) : 1000;
  constexpr std::array<std::array<int, 2>, 4> shapes{{{6, 1}, {7, 1}, {4, 2}, {3, 3}}};
  std::map<std::string, Tightness> rows;
  Random random(1);
  for (int i = 0; i < instances; ++i) {
    const auto& [hosts, slots] = shapes[static_cast<std::size_t>(i) % shapes.size()];
    add_instance(hosts, slots, random, rows[slots == 1 ? "one slot" : "several slots"]);
  }
  int violations = 0;
  fmt::print("{:<14} instances  hop-bytes (least)  busiest link (least)  violations\n",
             "hosts with");
  for (const auto& [name, row] : rows) {
    fmt::print("{:<14} {:>9}  {:>8.3f} ({:.3f})  {:>11.3f} ({:.3f})  {:>10}\n", name, row.instances,
               row.hop_bytes / row.instances, row.least_hop_bytes, row.congestion / row.instances,
               row.least_congestion, row.violations);
    violations += row.violations;
  }
  return violations > 0 ? 1 : 0;
}

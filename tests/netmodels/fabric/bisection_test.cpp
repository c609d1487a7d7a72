#include "netmodels/fabric/bisection.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <queue>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/graph/bisection_bound.hpp"
#include "netmodels/models/fat_tree/fat_tree.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Largest flow between two sets of hosts by Edmonds and Karp on a matrix: slow and obvious.
double max_flow(std::vector<std::vector<double>> capacity, std::size_t source, std::size_t sink) {
  double flow = 0;
  for (;;) {
    std::vector<std::size_t> before(capacity.size(), capacity.size());
    std::queue<std::size_t> queue;
    queue.push(source);
    before[source] = source;
    while (!queue.empty()) {
      const std::size_t here = queue.front();
      queue.pop();
      for (std::size_t there = 0; there < capacity.size(); ++there)
        if (capacity[here][there] > 1e-9 && before[there] == capacity.size()) {
          before[there] = here;
          queue.push(there);
        }
    }
    if (before[sink] == capacity.size()) return flow;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t v = sink; v != source; v = before[v])
      least = std::min(least, capacity[before[v]][v]);
    for (std::size_t v = sink; v != source; v = before[v]) {
      capacity[before[v]][v] -= least;
      capacity[v][before[v]] += least;
    }
    flow += least;
  }
}

/// Bandwidth of the smallest cut over all halves of the hosts.
double smallest_over_all_halves(const Network& network) {
  std::size_t vertices = static_cast<std::size_t>(network.num_hosts());
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = *network.link_ends(LinkId{l});
    vertices = std::max(vertices, static_cast<std::size_t>(std::max(ends.from, ends.to)) + 1);
  }
  std::vector<std::vector<double>> capacity(vertices + 2, std::vector<double>(vertices + 2, 0.0));
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = *network.link_ends(LinkId{l});
    capacity[static_cast<std::size_t>(ends.from)][static_cast<std::size_t>(ends.to)] +=
        network.link(LinkId{l}).bandwidth.value;
  }
  const int hosts = network.num_hosts();
  double least = std::numeric_limits<double>::infinity();
  for (unsigned half = 0; half < 1U << hosts; ++half) {
    if (__builtin_popcount(half) != hosts / 2) continue;
    auto with_ends = capacity;
    for (int h = 0; h < hosts; ++h) {
      const auto host = static_cast<std::size_t>(h);
      if ((half >> h & 1U) != 0)
        with_ends[vertices][host] = 1e6;
      else
        with_ends[host][vertices + 1] = 1e6;
    }
    least = std::min(least, max_flow(with_ends, vertices, vertices + 1));
  }
  return least;
}

const NetworkDefaults unit{{1}, {0}};

std::shared_ptr<const Network> torus(const std::vector<int>& sizes, bool wraps = true) {
  TorusSpec spec{{}, unit};
  for (const int size : sizes) spec.dimensions.push_back({size, wraps});
  return make_torus(spec);
}

std::shared_ptr<const Network> tree(const std::vector<FatTreeLevel>& levels) {
  return make_fat_tree(FatTreeSpec{levels, unit});
}

Bisection estimate(const Network& network) {
  return estimate_bisection(*LinkGraph::of(network), network);
}

}  // namespace

// The oracle is the largest flow between all halves of the hosts.

TEST_CASE("Closed forms of the bisection are the smallest cut over all halves") {
  for (const auto& network : {torus({4, 2}),
                              torus({3, 3}),
                              torus({5}),
                              torus({4, 3}),
                              torus({2, 2, 2}),
                              torus({1, 7}),
                              torus({3, 3}, false),
                              torus({4, 2}, false),
                              torus({5, 2}, false),
                              torus({3, 2}, false),
                              torus({2, 2, 2}, false),
                              tree({{6, 1, 1}}),
                              tree({{4, 1, 1}, {2, 1, 1}}),
                              tree({{2, 1, 1}, {4, 1, 1}}),
                              tree({{4, 1, 1}, {2, 2, 1}}),
                              tree({{2, 1, 1}, {4, 2, 2}}),
                              tree({{3, 1, 1}, {3, 3, 1}}),
                              tree({{2, 1, 1}, {2, 1, 1}, {2, 2, 1}}),
                              tree({{2, 2, 1}, {4, 1, 1}}),
                              tree({{4, 1, 1}, {2, 3, 1}}),
                              tree({{2, 1, 1}, {2, 2, 1}, {2, 1, 1}})}) {
    INFO(network->description());
    const auto closed = network->bisection();
    REQUIRE(closed);
    CHECK(closed->exact);
    CHECK(closed->bandwidth.value == Approx(smallest_over_all_halves(*network)));
    CHECK(static_cast<double>(closed->links) == closed->bandwidth.value);
  }
}

TEST_CASE(
    "Interfaces that narrow hosts leave a closed form where uniform traffic fills the network's") {
  for (const std::string network : {"torus:4x2", "torus:2x2x2", "fat-tree:2;4,2;1,2;1,2",
                                    "fat-tree:1;8;1;1", "fat-tree:2;4,2;1,1;1,1", "hyperx:4x2"})
    for (const std::string keys : {"injection=0.5", "injection=0.9", "injection=2",
                                   "injection=0.3,extraction=0.2", "nics=2,injection=0.4"}) {
      const auto limited = make_network(network + "," + keys, unit);
      INFO(limited->description());
      const auto closed = limited->bisection();
      REQUIRE(closed);
      CHECK(closed->exact);
      CHECK(closed->bandwidth.value == Approx(smallest_over_all_halves(*limited)));
    }
  // A ring of 5: uniform traffic puts 1 + 2 on each link, so that two of them carry the 2 * 3
  // between halves and no more; two interfaces carry half of that.
  CHECK(make_network("torus:5,injection=0.5", unit)->bisection()->bandwidth.value == 1);
  // Halves of a node are not looked at.
  CHECK_FALSE(make_network("torus:4x2,node=2", unit)->bisection());
}

TEST_CASE("The estimate finds the smallest cut of small networks and is never below it") {
  for (const char* spec :
       {"torus:4x2", "torus:3x3", "mesh:3x3", "mesh:5x2", "torus:4x2m", "fat-tree:2;4,2;1,1;1,1",
        "fat-tree:2;2,4;1,2;1,1", "fat-tree:2;3,3;1,1;1,1", "dragonfly:3,1;1,1;3,1;1",
        "dragonfly:4,2;1,1;2,1;1", "dragonfly:2,1;2,1;2,1;1"}) {
    INFO(spec);
    const auto network = make_network(spec, unit);
    const auto found = estimate(*network);
    CHECK_FALSE(found.exact);
    CHECK(found.bandwidth.value == Approx(smallest_over_all_halves(*network)));
  }
}

TEST_CASE("The estimate meets the closed form of larger networks") {
  for (const auto& network : {torus({8, 8, 8}), torus({16, 4, 4}), torus({4, 4, 16}),
                              torus({32, 8}, false), tree({{8, 1, 1}, {8, 4, 1}})}) {
    INFO(network->description());
    const double exact = network->bisection()->bandwidth.value;
    CHECK(estimate(*network).bandwidth.value == Approx(exact));
  }
}

TEST_CASE("The estimate of a torus is at most the cut between two planes of any dimension") {
  // Two cuts of the 12 * 9 = 108 cables of dimension 1, at a third of the bandwidth of the others.
  const auto uneven = make_network("torus:12x10x9,bandwidth=3/1/3", unit);
  CHECK(estimate(*uneven).bandwidth.value <= 2 * 108);
  const auto even = torus({64, 32});
  CHECK(estimate(*even).bandwidth.value == even->bisection()->bandwidth.value);
}

TEST_CASE("The bisection of a dragonfly is estimated and at most that between halves of groups") {
  // 4 of 8 groups against the others: 4 x 4 blue cables; inside a group links abound.
  const auto network = make_network("dragonfly:8,1;2,4;4,4;2", unit);
  CHECK_FALSE(network->bisection());
  CHECK(estimate(*network).bandwidth.value <= 16);
}

TEST_CASE("Edits change the estimate") {
  // Ring of 8: two cables join halves; those at 1-2 and 5-6 at a tenth, in both directions.
  const auto ring = make_network("torus:8", unit);
  CHECK(estimate(*ring).bandwidth.value == 2);
  const auto scaled = apply_edits(
      ring,
      NetworkEdits{
          {}, {}, {{"d0?:1->2", 0.1}, {"d0?:2->1", 0.1}, {"d0?:5->6", 0.1}, {"d0?:6->5", 0.1}}});
  CHECK_FALSE(scaled->bisection());
  CHECK(estimate(*scaled).bandwidth.value == Approx(0.2));
}

TEST_CASE("Networks of unequal or mixed dimensions have no closed form") {
  for (const char* spec : {"torus:4x4m", "torus:4x4,bandwidth=2/1", "torus:1",
                           "torus:4,per_router=2", "fat-tree:2;4,3;1,1;1,1"}) {
    INFO(spec);
    CHECK_FALSE(make_network(spec, unit)->bisection());
  }
}

TEST_CASE("The lower bound of the bisection is never above the smallest cut over all halves") {
  for (const char* spec : {"torus:4x2",
                           "torus:3x3",
                           "mesh:3x3",
                           "torus:4x2m",
                           "torus:2x4,twist=1",
                           "torus:3x3,twist=1",
                           "torus:4x2,bandwidth=2/1",
                           "torus:4,per_router=2",
                           "torus:5",
                           "fat-tree:2;4,2;1,1;1,1",
                           "fat-tree:2;2,4;1,2;1,1",
                           "fat-tree:2;3,3;1,1;1,1",
                           "dragonfly:3,1;1,1;3,1;1",
                           "dragonfly:4,2;1,1;2,1;1",
                           "dragonfly:2,1;2,1;2,1;1",
                           "dragonfly:2,1;1,1;4,1;2,groups=1:4*1/1:2*2+1",
                           "dragonfly-plus:3;2,1;1",
                           "dragonfly-plus:2;2,2;2",
                           "dragonfly-plus:2;2,2;2,cells=1:2*2/1:2+1",
                           "hyperx:3x3",
                           "hyperx:4x2",
                           "tree:2:3@1:2",
                           "torus:2x2,node=2:inside=3",
                           "torus:4,node=2:inside=3,injection=0.5",
                           "fat-tree:2;2,2;1,1;1,1,node=2,nics=2,injection=1"}) {
    INFO(spec);
    const auto network = make_network(spec, unit);
    const auto bound = bisection_lower_bound(*LinkGraph::of(*network), *network);
    REQUIRE(bound);
    const double smallest = smallest_over_all_halves(*network);
    CHECK(bound->value <= smallest);
    CHECK(bound->value >= smallest / 3);  // two thirds of it are lost at most here
  }
}

TEST_CASE("The lower bound meets the cut found where traffic is even, by closed forms") {
  // Even tori (2 n / k cables of the longest dimension), full fat trees and a HyperX with an even
  // dimension: uniform traffic fills the links of the cut and no other fills before.
  for (const char* spec : {"torus:4x4", "torus:8x4x4", "hyperx:4x4", "hyperx:4x4x4"}) {
    INFO(spec);
    const auto network = make_network(spec, unit);
    const auto bound = bisection_lower_bound(*LinkGraph::of(*network), *network);
    CHECK(bound->value == Approx(network->bisection()->bandwidth.value));
  }
  // A star of 8 hosts: the cables of half of them.
  const auto star = make_network("fat-tree:1;8;1;1", unit);
  CHECK(bisection_lower_bound(*LinkGraph::of(*star), *star)->value == Approx(4));
  // Two places per node of a ring of 4, inside without limit: halves of nodes, 2 cables.
  const auto nodes = make_network("torus:4,node=2", unit);
  CHECK(bisection_lower_bound(*LinkGraph::of(*nodes), *nodes)->value == Approx(2));
  CHECK(estimate(*nodes).bandwidth.value == Approx(2));
  // Two hosts without a link that works.
  const auto apart = make_network("torus:2", unit);
  const std::vector<bool> all(static_cast<std::size_t>(apart->num_links()), true);
  CHECK(bisection_lower_bound(*LinkGraph::of(*apart, all), *apart)->value == 0);
}

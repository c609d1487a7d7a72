#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "netmodels/ideal/min_congestion.hpp"
#include "netmodels/ideal/path_program.hpp"
#include "netmodels/load_routing/ideal.hpp"
#include "netmodels/load_routing/legs.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/netmodels/walks.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Whether small problems of ideal routing are solved exactly.
bool solves_exactly() {
  return optimal_volumes({{{{{LinkId{0}, 1}}}}}, {1}, {1}).has_value();
}

/// Prints why a test that needs exact solutions is skipped, if it is.
bool is_skipped() {
  if (solves_exactly()) return false;
  std::cout << "skipped: exact ideal routing needs Clp (package coinor-libclp-dev)\n";
  return true;
}

std::shared_ptr<const Network> under(const std::string& spec, Routing rule) {
  return make_network(spec, {.bandwidth = {1}, .latency = {0}}, {rule});
}

std::vector<HostFlow> random_flows(const Network& network, int count, std::uint64_t seed) {
  Random random(seed);
  const auto host = [&] {
    return HostId{static_cast<int>(random.below(static_cast<std::uint64_t>(network.num_hosts())))};
  };
  std::vector<HostFlow> flows;
  for (int f = 0; f < count; ++f)
    flows.push_back({host(), host(), {static_cast<double>(1 + random.below(4))}});
  return flows;
}

double largest_load(const Network& network, const std::vector<HostFlow>& flows) {
  const auto routed = network.routed(flows);
  const Network& is = routed ? *routed : network;
  std::vector<double> load(static_cast<std::size_t>(network.num_links()));
  std::vector<LinkShare> shares;
  for (const HostFlow& flow : flows) {
    shares.clear();
    is.append_shares(flow.source, flow.destination, shares);
    for (const auto& [link, share] : shares) load[index(link)] += share * flow.volume.value;
  }
  return *std::max_element(load.begin(), load.end());
}

}  // namespace

TEST_CASE("Ideal routing of a ring, by hand") {
  // 0->1 (1 B) on a ring of 4 at 1 B/s: x over one hop, the rest over three by way of host 3 (one
  // hop, then two): half each way.
  const auto ring = under("torus:4", Routing::ideal);
  const std::vector<HostFlow> one{{HostId{0}, HostId{1}, {1}}};
  const auto ideal = ideal_routing().congestion(*ring, one);
  REQUIRE(ideal);
  CHECK(ideal->found.value == Approx(0.5).epsilon(0.005));
  CHECK(ideal->bound.value <= 0.5 * (1 + 1e-9));
  CHECK(ideal->bound.value >= 0.5 / 1.005 * (1 - 1e-9));
  CHECK(largest_load(*ring, one) == Approx(ideal->found.value));
  // Opposite hosts and a neighbour: 0->2 and 0->1, 1 B each. Host 0 sends 2 B over two links.
  const std::vector<HostFlow> two{{HostId{0}, HostId{1}, {1}}, {HostId{0}, HostId{2}, {1}}};
  CHECK(ideal_routing().congestion(*ring, two)->found.value == Approx(1).epsilon(0.005));
}

TEST_CASE("What every host must send over its only cable, no routing avoids") {
  // 3 B leave host 0 of a tree with as much above as below.
  const auto tree = under("fat-tree:2;4,4;1,4;1,1", Routing::ideal);
  const std::vector<HostFlow> flows{{HostId{0}, HostId{5}, {1}}, {HostId{0}, HostId{9}, {2}}};
  const auto ideal = ideal_routing().congestion(*tree, flows);
  CHECK(ideal->found.value == Approx(3));
  CHECK(ideal->bound.value == Approx(3));
}

TEST_CASE("Where all hosts share a router, their cables are what no routing avoids") {
  const auto tree = under("tree:3@1", Routing::ideal);
  const std::vector<HostFlow> flows{{HostId{0}, HostId{1}, {1}}, {HostId{0}, HostId{2}, {2}}};
  const auto ideal = ideal_routing().congestion(*tree, flows);
  CHECK(ideal->found.value == 3);
  CHECK(ideal->bound.value == 3);
}

TEST_CASE("No ideal route leads through the inside of another host") {
  const auto ring = under("torus:3,node=3x2:lane=20,numa=20,nics=1,injection=20", Routing::ideal);
  std::vector<HostFlow> flows;
  for (int place = 0; place < 6; ++place) flows.push_back({HostId{0}, HostId{6 + place}, {1}});
  const auto routed = ring->routed(flows);
  std::vector<LinkShare> shares;
  for (const HostFlow& flow : flows) routed->append_shares(flow.source, flow.destination, shares);
  for (const LinkShare& on : shares) CHECK(ring->link_name(on.link).find("host-2:") != 0);
}

TEST_CASE("A dragonfly's traffic to the next group is routed ideally at 2 (g - 1) / g") {
  // Each group sends S = a p bytes. The direct cable takes x, detours take two cables of the g (g -
  // 1) there are: g x + 2 g (S - x) over all cables, evenly when the largest is least; with x on
  // the direct one: x = 2 (S - x) / (g - 2), so x = 2 S / g.
  const auto dragonfly = under("dragonfly:9,1;1,1;4,1;2", Routing::ideal);
  std::vector<HostFlow> flows;
  for (int h = 0; h < 72; ++h) flows.push_back({HostId{h}, HostId{(h + 8) % 72}, {1}});
  const auto ideal = ideal_routing().congestion(*dragonfly, flows);
  CHECK(ideal->bound.value <= 16.0 / 9 * (1 + 1e-9));
  CHECK(ideal->found.value == Approx(16.0 / 9).epsilon(0.005));
}

TEST_CASE("Found and certified congestion of random traffic are within half a per cent") {
  if (is_skipped()) return;
  for (const std::string spec : {"torus:4x4", "torus:3x4x2", "hyperx:3x4",
                                 "dragonfly:3,1;2,1;2,1;2", "fat-tree:2;4,4;1,3;1,1", "mesh:5x3"})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      INFO(spec << " seed " << seed);
      const auto network = under(spec, Routing::ideal);
      const auto flows = random_flows(*network, 2 * network->num_hosts(), seed);
      const auto ideal = ideal_routing().congestion(*network, flows);
      CHECK(ideal->bound.value <= ideal->found.value * (1 + 1e-9));
      CHECK(ideal->found.value <= ideal->bound.value * 1.0051);
      CHECK(largest_load(*network, flows) == Approx(ideal->found.value).epsilon(1e-6));
      CHECK(ideal->bound.value <= largest_load(*under(spec, Routing::ecmp), flows) * (1 + 1e-9));
    }
}

TEST_CASE("A random permutation of a torus of 512 hosts is certified to a per cent") {
  const auto torus = under("torus:8x8x8", Routing::ideal);
  std::vector<int> to(512);
  std::iota(to.begin(), to.end(), 0);
  Random random(7);
  for (std::uint64_t i = 511; i > 0; --i) std::swap(to[i], to[random.below(i + 1)]);
  std::vector<HostFlow> flows;
  for (int h = 0; h < 512; ++h) flows.push_back({HostId{h}, HostId{to[index(h)]}, {1}});
  const auto ideal = ideal_routing().congestion(*torus, flows);
  CHECK(ideal->bound.value <= ideal->found.value);
  CHECK(ideal->found.value <= ideal->bound.value * 1.01);
}

TEST_CASE("Legs are shortest by length among the paths with the fewest links") {
  // Bellman-Ford over links that lead to a vertex one hop nearer is the slow oracle.
  const auto network = under("torus:4x5", Routing::simgrid);
  const auto graph = LinkGraph::of(*network);
  Random random(3);
  std::vector<double> lengths;
  for (int l = 0; l < network->num_links(); ++l)
    lengths.push_back(static_cast<double>(1 + random.below(9)));
  Legs legs(*graph, {7, 12}, Legs::Direction::to_root);
  legs.set_lengths(lengths);
  Legs::Search search;
  for (std::size_t root = 0; root < 2; ++root) {
    const int end = root == 0 ? 7 : 12;
    const auto hops = graph->distances_to(end);
    std::vector<double> expected(20, std::numeric_limits<double>::infinity()), measured(20);
    expected[index(end)] = 0;
    for (int round = 0; round < 20; ++round)
      for (const Arc& arc : graph->arcs())
        if (hops[index(arc.from)] == hops[index(arc.to)] + 1)
          expected[index(arc.from)] = std::min(expected[index(arc.from)],
                                               expected[index(arc.to)] + lengths[index(arc.link)]);
    legs.measure(root, measured);
    CHECK(measured == expected);
    for (int v = 0; v < 20; ++v) {
      std::vector<LinkId> known, found;
      legs.append_leg(root, measured, v, known);
      REQUIRE(legs.append_shortest(root, v, lengths, search, found));
      for (const auto* links : {&known, &found}) {
        double sum = 0;
        for (const LinkId link : *links) sum += lengths[index(link)];
        CHECK(sum == expected[index(v)]);
      }
    }
  }
}

TEST_CASE("Shares of ideal routing are flows: what enters a vertex leaves it") {
  const auto network = under("torus:3x4", Routing::ideal);
  const auto flows = random_flows(*network, 30, 7);
  const auto routed = network->routed(flows);
  std::vector<LinkShare> shares;
  for (const HostFlow& flow : flows) {
    if (flow.source == flow.destination) continue;
    shares.clear();
    routed->append_shares(flow.source, flow.destination, shares);
    std::map<int, double> balance;
    std::set<LinkId> links;
    for (const auto& [link, share] : shares) {
      CHECK(links.insert(link).second);
      balance[network->link_ends(link)->from] -= share;
      balance[network->link_ends(link)->to] += share;
    }
    for (const auto& [vertex, sum] : balance) {
      const double expected = vertex == number(flow.source)        ? -1
                              : vertex == number(flow.destination) ? 1
                                                                   : 0;
      CHECK(sum == Approx(expected).margin(1e-9));
    }
  }
  const auto kept = ideal_routing().congestion_of(*routed);
  REQUIRE(kept);
  CHECK(kept->found == ideal_routing().congestion(*network, flows)->found);
  CHECK_FALSE(ideal_routing().congestion_of(*network));
}

TEST_CASE("A flow of one route lists its links in the order of travel, whatever traffic decides") {
  std::size_t single = 0;
  for (const Routing rule : {Routing::ideal, Routing::adaptive})
    for (const char* spec : {"torus:4x4", "mesh:3x5", "fat-tree:2;4,4;1,2;1,1", "hyperx:3x4"}) {
      const auto network = under(spec, rule);
      const std::vector<bool> none(index(network->num_links()));
      for (unsigned seed = 1; seed <= 6; ++seed) {
        const auto flows = random_flows(*network, 8, seed);
        const auto routed = network->routed(flows);
        for (const HostFlow& flow : flows) {
          std::vector<LinkShare> shares;
          routed->append_shares(flow.source, flow.destination, shares);
          std::vector<LinkId> route;
          for (const auto& [link, share] : shares)
            if (share == 1) route.push_back(link);
          if (route.size() != shares.size() || route.size() < 2) continue;
          ++single;
          INFO(spec << ": " << number(flow.source) << " -> " << number(flow.destination));
          CHECK(is_walk(*network, route, flow.source, flow.destination, none));
        }
      }
    }
  CHECK(single > (solves_exactly() ? 20U : 10U));  // else ideal flows take several routes
}

TEST_CASE("Ideal routing honours links that differ in bandwidth") {
  if (is_skipped()) return;
  // Ring of 4: d0+ carries 3 B/s, d0- 1 B/s. 0->2 (4 B): 3 B and 1 B, in one second.
  const auto ring = make_network("torus:4", {.bandwidth = {1}, .latency = {0}}, {});
  std::vector<LinkId> forth;
  ring->append_route(HostId{0}, HostId{2}, forth);
  const auto graph = LinkGraph::of(*ring);
  CongestionProblem problem{{{0, 2, 4}}, {}, std::vector<double>(8, 1), 0};
  for (const LinkId link : forth) {
    problem.start.push({link, 1});
    problem.capacity[index(link)] = 3;
  }
  problem.start.end_row();
  const auto routing = min_congestion(*graph, problem);
  CHECK(routing.congestion == Approx(1).epsilon(0.005));
  CHECK(routing.bound == Approx(1).epsilon(0.005));
}

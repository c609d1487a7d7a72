#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/comm_graph.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("The mean distance of a slim-fly follows from the links of a router") {
  // k' of the other 2 q^2 - 1 routers are one link away, all others two; and two cables.
  for (const auto& [q, degree] :
       std::vector<std::pair<int, int>>{{3, 5}, {4, 6}, {5, 7}, {7, 11}}) {
    const auto network = make_network("slim-fly:q=" + std::to_string(q) + ",per_router=1", {});
    const int hosts = network->num_hosts();
    double sum = 0;
    for (int a = 0; a < hosts; ++a)
      for (int b = 0; b < hosts; ++b) sum += network->hops(HostId{a}, HostId{b});
    const double others = hosts - 1;
    CHECK(sum / hosts / others == Approx(2 + (degree + 2 * (others - degree)) / others));
  }
}

TEST_CASE("Every link of a slim-fly counts for one hop over all families of cuts") {
  const auto network = make_network("slim-fly:q=4,per_router=2", {});
  REQUIRE(network->cuts().size() == 3);
  for (int l = 0; l < network->num_links(); ++l)
    CHECK(tests::hops_in_cuts(*network, LinkId{l}) == 1);
}

TEST_CASE("Hosts of a slim-fly have as many others at each distance as its profile says") {
  const auto network = make_network("slim-fly:q=4,per_router=2", {});
  for (const int from : {0, 7, 63}) {
    std::vector<std::int64_t> counted(5);
    for (int h = 0; h < network->num_hosts(); ++h)
      ++counted[static_cast<std::size_t>(network->hops(HostId{from}, HostId{h}))];
    CHECK(network->distance_profile(network->num_hosts()) == counted);
  }
}

TEST_CASE("Groups of a slim-fly are q routers, and each is joined with all of the other side") {
  const auto network = make_network("slim-fly:q=4,per_router=2", {});
  const auto parts = network->parts();
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == "group");
  CHECK(parts[0].partitions[0].count == 8);
  CHECK(parts[0].partitions[0].part_of[8] == 1);  // 4 routers of 2 hosts
  CHECK(parts[1].partitions[0].count == 32);
  std::vector<std::vector<int>> links(8, std::vector<int>(8));
  for (int l = 2 * network->num_hosts(); l < network->num_links(); ++l) {
    const LinkEnds ends = *network->link_ends(LinkId{l});
    ++links[static_cast<std::size_t>((ends.from - 64) / 4)]
           [static_cast<std::size_t>((ends.to - 64) / 4)];
  }
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b)
      // y = m x + c has a solution y for each c: 4 links between groups of the two sides; within a
      // group each of 4 routers has q / 2 links.
      CHECK(links[a][b] == (a == b ? 8 : a / 4 != b / 4 ? 4 : 0));
}

TEST_CASE("Traffic along all links of a slim-fly takes in SimGrid what the busiest link says") {
  // Every router sends 1 GB to each router that it is joined with: 7 GB through the cable of its
  // only host, of 1 GB/s, so 7 s; with cables ten times as fast each link has one flow, so 1 s.
  for (const auto& [spec, seconds] : std::vector<std::pair<std::string, double>>{
           {"slim-fly:q=5,per_router=1", 7},
           {"slim-fly:q=5,per_router=1,bandwidth=10GBps/1GBps", 1}}) {
    const auto network = make_network(spec, {{1e9}, {0}});
    std::vector<DirectedEdge> edges;
    for (int l = 100; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      edges.push_back({Rank{ends.from - 50}, Rank{ends.to - 50}, {1e9}});
    }
    std::vector<HostId> hosts;
    for (int h = 0; h < 50; ++h) hosts.push_back(HostId{h});
    const CommGraph guest(50, edges);
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    const Embedding embedding(hosts, allocation);
    CHECK(evaluate(guest, *network, embedding).max_congestion.value == Approx(seconds));
    CHECK(simulate(guest, *network, embedding, {}).makespan.value == Approx(seconds));
    const auto bounds = lower_bounds(guest, *network, allocation);
    CHECK(bounds.hop_bytes.value == Approx(3e9 * 350));  // three hops each
    CHECK(bounds.congestion.value <= seconds * (1 + 1e-12));
  }
}

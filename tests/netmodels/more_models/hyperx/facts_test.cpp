#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/comm_graph.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

TEST_CASE("The bisection of a hyperx by its closed form is the least cut of all halves") {
  // Even and odd sizes, bandwidths that make either dimension the narrower one, and hosts whose
  // cables are wide or narrow.
  for (const char* spec :
       {"hyperx:4x2", "hyperx:4x3", "hyperx:3x3", "hyperx:5", "hyperx:6", "hyperx:2x2x2",
        "hyperx:3x2x2", "hyperx:3x4", "hyperx:4x2,links=1/3", "hyperx:4x2,bandwidth=1GBps/9GBps",
        "hyperx:2x2,per_router=2", "hyperx:2x2,per_router=2,host_bandwidth=1GBps",
        "hyperx:4,per_router=2,links=2"}) {
    CAPTURE(spec);
    check_bisection(*make_network(spec, {}));
  }
  // No formula: the narrower dimension is odd and the other one has another bandwidth.
  CHECK_FALSE(make_network("hyperx:3x4,links=1/2", {})->bisection());
}

TEST_CASE("The first HyperX that was built has 57.1 % of full bisection") {
  // J. Domke et al., "HyperX Topology: First At-Scale Implementation and Comparison to the
  // Fat-Tree" (SC19): 12x8 switches of 7 nodes.
  const auto network = make_network("hyperx:12x8,per_router=7", {{4e9}, {0}});
  CHECK(network->num_hosts() == 672);
  CHECK(network->bisection()->bandwidth.value / (336 * 4e9) == Approx(0.571).epsilon(1e-3));
}

TEST_CASE("Planes of a hyperx are hosts of equal coordinate") {
  const auto network = make_network("hyperx:3x2,per_router=2", {});
  const auto parts = network->parts();
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].name == "plane");
  // By hand: hosts 0 and 1 are at router 0 of coordinates 0, 0; routers 0 to 2 are a row.
  CHECK(parts[0].partitions[0].part_of == std::vector{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2});
  CHECK(parts[0].partitions[1].part_of == std::vector{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("Every link of a hyperx counts for one hop over all families of cuts") {
  for (const char* spec : {"hyperx:4x5", "hyperx:2x3x4", "hyperx:3x2,per_router=2"}) {
    const auto network = make_network(spec, {});
    for (int l = 0; l < network->num_links(); ++l)
      CHECK(tests::hops_in_cuts(*network, LinkId{l}) == 1);
  }
}

TEST_CASE("Hosts of a hyperx have as many others at each distance as its profile says") {
  for (const char* spec : {"hyperx:4x5", "hyperx:2x3x4", "hyperx:3x2,per_router=2"}) {
    const auto network = make_network(spec, {});
    std::vector<std::int64_t> counted(static_cast<std::size_t>(network->diameter()) + 1);
    for (int h = 0; h < network->num_hosts(); ++h)
      ++counted[static_cast<std::size_t>(network->hops(HostId{1}, HostId{h}))];
    CHECK(network->distance_profile(network->num_hosts()) == counted);
  }
}

TEST_CASE("All to all in the lines of a hyperx takes in SimGrid what the busiest link says") {
  // Each rank sends 1 GB to all others of its line: every link has one flow, so 1 s at 1 GB/s; with
  // twice the bandwidth in dimension 0 that is done in half a second.
  for (const auto& [spec, seconds] : std::vector<std::pair<std::string, double>>{
           {"hyperx:4x4", 1}, {"hyperx:4x3,links=2/1", 1}, {"hyperx:5,links=2", 0.5}}) {
    const auto network = make_network(spec, {{1e9}, {0}});
    std::vector<DirectedEdge> edges;
    for (int l = 0; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      edges.push_back({Rank{ends.from}, Rank{ends.to}, {1e9}});
    }
    const CommGraph guest(network->num_hosts(), edges);
    const Embedding embedding = one_per_host(network->num_hosts());
    CHECK(evaluate(guest, *network, embedding).max_congestion.value == Approx(seconds));
    CHECK(simulate(guest, *network, embedding, {}).makespan.value == Approx(seconds));
    const auto bounds = lower_bounds(guest, *network, all_hosts(*network));
    CHECK(bounds.hop_bytes.value == Approx(1e9 * network->num_links()));  // one hop each
  }
}

TEST_CASE("A failed link of a hyperx is bypassed by another router of its line") {
  const auto network = make_network("hyperx:4x4", {});
  NetworkEdits edits;
  edits.failed_links = {"d0:0->1"};
  const auto edited = apply_edits(network, resolve_edits(*network, edits));
  CHECK(edited->hops(HostId{0}, HostId{1}) == 2);
  CHECK(edited->hops(HostId{1}, HostId{0}) == 1);
}

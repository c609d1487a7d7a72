#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/needs_wings.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

const std::vector<std::string> tree_specs{"tree:4:2:3@1:10:100", "tree:3@7", "tree:2:2:2:2@1:1:5:6",
                                          "tree:1:4:1:2@2:3:3:9", "tree:5:2@3:1000000"};

/// Distance of two hosts by the digits of their numbers, from the top down.
int distance_by_digits(int a, int b, const std::vector<int>& arities,
                       const std::vector<int>& distances) {
  int distance = 0;
  for (std::size_t level = 0; level < arities.size(); ++level) {
    if (a != b) distance = distances[level];
    a /= arities[level];
    b /= arities[level];
  }
  return distance;
}

}  // namespace

TEST_CASE("Hops of a tree are the distances of the smallest common subtree") {
  const auto network = make_network("tree:4:2:3@1:10:100", {});
  CHECK(network->num_hosts() == 24);
  CHECK(network->num_links() == 2 * (24 + 6 + 3));
  for (int a = 0; a < 24; ++a)
    for (int b = 0; b < 24; ++b)
      CHECK(network->hops(HostId{a}, HostId{b}) ==
            distance_by_digits(a, b, {4, 2, 3}, {1, 10, 100}));
  CHECK(network->diameter() == 100);
  // Levels of one subtree add nothing: 1:4:1:2 has no pair at distances 2 and 3
  // (second).
  const auto thin = make_network("tree:1:4:1:2@2:3:3:9", {});
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      CHECK(thin->hops(HostId{a}, HostId{b}) ==
            distance_by_digits(a, b, {1, 4, 1, 2}, {2, 3, 3, 9}));
}

TEST_CASE(
    "Hop-bytes of a tree are the objective J of process mapping, over "
    "ordered pairs") {
  // By hand on two nodes of two cores: 0 -> 1 and back of 5 within a node, 0 ->
  // 2 of 7 and 3 -> 1 of 2 between nodes: J = (5 + 5) * 1 + (7 + 2) * 10 = 100.
  // With ranks 1 and 2 exchanged: (5 + 5) * 10 + 7 * 1 + 2 * 1 = 109.
  const auto network = make_network("tree:2:2@1:10", {});
  const CommGraph guest(4, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, {5}},
                                                     {Rank{1}, Rank{0}, {5}},
                                                     {Rank{0}, Rank{2}, {7}},
                                                     {Rank{3}, Rank{1}, {2}}});
  const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
  const auto at = [&](std::vector<HostId> hosts) {
    return evaluate(guest, *network, Embedding(hosts, allocation));
  };
  const auto in_order = at({HostId{0}, HostId{1}, HostId{2}, HostId{3}});
  CHECK(in_order.hop_bytes == Bytes{100});
  CHECK(at({HostId{0}, HostId{2}, HostId{1}, HostId{3}}).hop_bytes == Bytes{109});
  // Loads are the volumes that leave and enter: host 0 sends 12, node 0 sends 7
  // and receives 2.
  std::map<std::string, double> loads;
  for (int l = 0; l < network->num_links(); ++l)
    loads[network->link_name(LinkId{l})] =
        in_order.links[static_cast<std::size_t>(l)].traffic.value;
  CHECK(loads["host-0->t1.0"] == 12);
  CHECK(loads["t1.0->host-0"] == 5);
  CHECK(loads["t1.0->root"] == 7);
  CHECK(loads["root->t1.0"] == 2);
  CHECK(loads["t1.1->root"] == 2);
  CHECK(lower_bounds(guest, *network, allocation).hop_bytes <= Bytes{100});
}

TEST_CASE(
    "Routes of a tree go up and down its only way, and their links have "
    "its hops") {
  for (const std::string& spec : tree_specs) {
    CAPTURE(spec);
    const auto network = make_network(spec, {});
    const std::vector<bool> none_failed(static_cast<std::size_t>(network->num_links()));
    double sum = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        std::vector<LinkId> route;
        network->append_route(HostId{a}, HostId{b}, route);
        REQUIRE(is_walk(*network, route, HostId{a}, HostId{b}, none_failed));
        double hops = 0;
        for (const LinkId link : route) hops += network->link(link).hops;
        REQUIRE(hops == network->hops(HostId{a}, HostId{b}));
        sum += hops;
      }
    // The profile has as many hosts at each distance, and hosts are all as far
    // from others.
    const auto profile = network->distance_profile(network->num_hosts());
    double expected = 0;
    for (std::size_t h = 0; h < profile.size(); ++h)
      expected += static_cast<double>(h) * static_cast<double>(profile[h]);
    CHECK(sum / network->num_hosts() == Approx(expected));
    CHECK(network->description() == spec);
    for (int l = 0; l < network->num_links(); ++l)
      CHECK(hops_in_cuts(*network, LinkId{l}) <= network->link(LinkId{l}).hops);
  }
  // By hand, of 24 hosts: 3 at distance 1, 4 at 10, 16 at 100.
  const auto profile = make_network("tree:4:2:3@1:10:100", {})->distance_profile(24);
  CHECK((profile[1] == 3 && profile[10] == 4 && profile[100] == 16));
}

TEST_CASE(
    "The bisection of a tree by its closed form is the least cut of all "
    "halves") {
  for (const char* spec : {"tree:2:2@1:2", "tree:2:2:2@1:2:3", "tree:3:2@1:2", "tree:4@1",
                           "tree:2:4@1:5,bandwidth=4GBps/7GBps", "tree:1:2:2:1@1:1:1:1"}) {
    CAPTURE(spec);
    check_bisection(*make_network(spec, {}));
  }
  CHECK_FALSE(make_network("tree:2:3@1:2", {})->bisection());
}

TEST_CASE("Distances of up to a million are counted right by every mapper") {
  // The oracle of hops in mappers is the evaluation of what they give: the
  // bounds stay below. 300 fit bytes of codes no more, 70000 no 16 bits.
  for (const char* spec :
       {"tree:2:4:4@1:10:300", "tree:2:4:4@1:300:70000", "tree:2:4:4@1:1000:1000000"}) {
    CAPTURE(spec);
    const auto network = make_network(spec, {});
    const CommGraph guest = unit_grid({4, 8});
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    const Cartesian grid({{4}, {8}});
    const MappingProblem problem{guest, *network, allocation, &grid};
    double best = std::numeric_limits<double>::infinity();
    check_mappers_above_bounds(problem, 2000, [&](const auto&, const auto&, const Metrics& found) {
      best = std::min(best, found.hop_bytes.value);
    });
    const auto blocks = evaluate(guest, *network, run_mapper({"block", {}}, problem, {}));
    CHECK(best <= blocks.hop_bytes.value);
  }
}

TEST_CASE("Without a link a tree falls apart, and a slower one keeps the distances") {
  const auto network = make_network("tree:2:2@1:1000000", {});
  NetworkEdits slower;
  slower.scaled = {{"t1.0->root", 0.5}};
  const auto scaled = apply_edits(network, resolve_edits(*network, slower));
  CHECK(scaled->hops(HostId{0}, HostId{3}) == 1000000);
  NetworkEdits failed;
  failed.failed_links = {"t1.0->root"};
  const auto apart = apply_edits(network, resolve_edits(*network, failed));
  CHECK(apart->hops(HostId{3}, HostId{0}) == 1000000);
  CHECK(apart->hops(HostId{1}, HostId{0}) == 1);
}

TEST_CASE("What leaves a subtree takes in SimGrid the time of its link") {
  // By hand: 4 hosts of a node send 1 GB each to the other node over one link
  // of 1 GB/s.
  const auto network = make_network("tree:4:2@1:10", {{1e9}, {0}});
  std::vector<DirectedEdge> edges;
  std::vector<HostId> hosts;
  for (int h = 0; h < 8; ++h) {
    hosts.push_back(HostId{h});
    edges.push_back({Rank{h}, Rank{(h + 4) % 8}, {1e9}});
  }
  const CommGraph guest(8, edges);
  const Embedding embedding(hosts, make_allocation(*network, "all", std::vector{1}, 1));
  CHECK(simulate(guest, *network, embedding, {}).makespan.value == Approx(4));
  CHECK(evaluate(guest, *network, embedding).max_congestion.value == Approx(4));
}

TEST_CASE("A malformed tree is one sentence that names the value") {
  const auto error_of = [](const std::string& spec, Routing rule = Routing::simgrid) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
  };
  CHECK(error_of("tree:4:8@1:10:100") ==
        "\"tree:4:8@1:10:100\": 2 arities and 3 distances; accepted: a "
        "distance for each level");
  CHECK_THAT(error_of("tree:4:8"), Catch::Contains("as tree:4:8:6@1:10:100"));
  CHECK_THAT(error_of("tree:4:0@1:10"), Catch::Contains("arity 0 in"));
  CHECK_THAT(error_of("tree:4:8@1:-10"), Catch::Contains("distance -10 in"));
  CHECK_THAT(error_of("tree:4:8@1:1.5"), Catch::Contains("distance \"1.5\""));
  CHECK(error_of("tree:4:8@1:1000001") == "tree with distance 1000001: accepted are 1 to 1000000");
  CHECK(error_of("tree:4:8@10:1") ==
        "tree with distance 1 above 10: distances "
        "must not decrease from the hosts up");
  for (const char* large : {"tree:65536:65536@1:2", "tree:1073741823:1@1:2"})
    CHECK(error_of(large) == "tree with more than 2147483647 directed links");
  for (const Routing rule : {Routing::positive, Routing::split, Routing::valiant})
    CHECK_THAT(error_of("tree:4@1", rule), Catch::Contains("accepted for a tree: simgrid"));
}

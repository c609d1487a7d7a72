#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "netmodels/network_spec.hpp"

using namespace vtopo;

namespace {

/// Checks of a network with known link ends, over all pairs of hosts.
void check_network(const std::string& spec) {
  INFO(spec);
  const auto network = make_network(spec, {});
  int longest = 0;
  std::vector<LinkId> route;
  for (int a = 0; a < network->num_hosts(); ++a)
    for (int b = 0; b < network->num_hosts(); ++b) {
      route.clear();
      network->append_route(HostId{a}, HostId{b}, route);
      int here = a;
      bool connected = true;
      for (const LinkId link : route) {
        const auto ends = network->link_ends(link);
        connected = connected && ends && ends->from == here;
        if (ends) here = ends->to;
      }
      if (!connected || here != b ||
          static_cast<int>(route.size()) != network->hops(HostId{a}, HostId{b})) {
        INFO(a << " -> " << b);
        CHECK(connected);
        CHECK(here == b);
        CHECK(static_cast<int>(route.size()) == network->hops(HostId{a}, HostId{b}));
      }
      longest = std::max(longest, static_cast<int>(route.size()));
    }
  CHECK(longest == network->diameter());
}

void check_links(const std::string& spec, int expected_links) {
  INFO(spec);
  const auto network = make_network(spec, {});
  REQUIRE(network->num_links() == expected_links);
  std::set<std::string> names;
  double leaving = 0;
  for (int l = 0; l < network->num_links(); ++l) {
    names.insert(network->link_name(LinkId{l}));
    const auto ends = network->link_ends(LinkId{l});
    REQUIRE(ends);
    if (ends->from == 0) leaving += network->link(LinkId{l}).bandwidth.value;
  }
  CHECK(static_cast<int>(names.size()) == expected_links);
  CHECK(network->injection_bandwidth(HostId{0}).value == Approx(leaving));
}

}  // namespace

TEST_CASE("Every route of every model is a walk with as many links as hops() says") {
  for (const char* spec :
       {"torus:4x4x4", "torus:5x2x3m", "mesh:3x7", "torus:1x6", "torus:2x2", "fat-tree:1;7;1;1",
        "fat-tree:2;4,4;1,2;1,2", "fat-tree:3;3,4,2;1,2,3;1,2,2", "fat-tree:2;4,1;2,2;1,1",
        "dragonfly:3,4;4,3;5,1;2", "dragonfly:1,1;1,1;1,1;4", "dragonfly:2,1;3,1;1,1;2"})
    check_network(spec);
}

TEST_CASE("A dragonfly takes any number of groups, also more than routers per group") {
  for (const char* spec : {"dragonfly:7,1;1,1;3,1;2", "dragonfly:9,1;2,1;2,1;1",
                           "dragonfly:5,1;1,1;1,1;3", "dragonfly:12,2;2,1;3,1;1"})
    check_network(spec);
}

TEST_CASE("Links have distinct names and those that leave a host add up to its injection") {
  // Counted by hand: two ways per cable; torus one cable per host and dimension (none for size 1),
  // a mesh dimension of n has n-1 per line.
  check_links("torus:4x4x4", 2 * 3 * 64);
  check_links("torus:5x2x3m", 2 * (30 + 30 + 20));
  check_links("mesh:3x1x7", 2 * (2 * 7 + 3 * 6));
  // 16 host cables, 4 leaf switches x 2 parents x 2 cables.
  check_links("fat-tree:2;4,4;1,2;1,2", 2 * (16 + 16));
  // 120 host cables; per group 4 chassis x C(5,2) green, 5 blades x C(4,2) black; C(3,2) blue.
  check_links("dragonfly:3,4;4,3;5,1;2", 2 * (120 + 3 * (4 * 10 + 5 * 6) + 3));
  check_links("dragonfly:9,1;2,1;2,1;1", 2 * (36 + 9 * (2 + 2) + 36));
}

TEST_CASE("Worked examples of fat tree and dragonfly") {
  // SimGrid 3.32: fat tree 2;4,4;1,2;1,2: 0->1 2 links, 0->4 4, mean 3.6.
  const auto tree = make_network("fat-tree:2;4,4;1,2;1,2", {});
  CHECK(tree->hops(HostId{0}, HostId{1}) == 2);
  CHECK(tree->hops(HostId{0}, HostId{4}) == 4);
  double sum = 0;
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) sum += tree->hops(HostId{a}, HostId{b});
  CHECK(sum / (16 * 15) == Approx(3.6));
  // SimGrid 3.32: dragonfly 3,4;4,3;5,1;2: 0->1 2, 0->2 3, 0->42 5, 119->0 6; its 39->79 of 7 links
  // runs between groups and is sound.
  const auto dragonfly = make_network("dragonfly:3,4;4,3;5,1;2", {});
  CHECK(dragonfly->hops(HostId{0}, HostId{1}) == 2);
  CHECK(dragonfly->hops(HostId{0}, HostId{2}) == 3);
  CHECK(dragonfly->hops(HostId{0}, HostId{42}) == 5);
  CHECK(dragonfly->hops(HostId{119}, HostId{0}) == 6);
  CHECK(dragonfly->hops(HostId{39}, HostId{79}) == 7);
}

TEST_CASE("Dragonfly cables multiply the bandwidth of their colour") {
  const auto network = make_network("dragonfly:3,4;4,3;5,2;2", {{1e9}, {1e-7}});
  std::set<double> bandwidths;
  for (int l = 0; l < network->num_links(); ++l)
    bandwidths.insert(network->link(LinkId{l}).bandwidth.value / 1e9);
  CHECK(bandwidths == std::set<double>{1, 2, 3, 4});
}

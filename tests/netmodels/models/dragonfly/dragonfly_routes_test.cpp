#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "tests/netmodels/dragonfly_shapes.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

/// Whether `route` is a walk between the hosts that uses no link twice.
bool uses_no_link_twice(const Network& network, HostId source, HostId destination,
                        const std::vector<LinkId>& route) {
  int here = number(source);
  for (const LinkId link : route) {
    const LinkEnds ends = *network.link_ends(link);
    if (ends.from != here) return false;
    here = ends.to;
  }
  return here == number(destination) &&
         std::set<LinkId>(route.begin(), route.end()).size() == route.size();
}

}  // namespace

TEST_CASE("Minimal dragonfly routes are walks with the fewest links for one global link") {
  // The oracle is breadth-first search in the links with at most one global link on the way.
  for (const DragonflySpec& spec : many_dragonflies(Routing::simgrid)) {
    const auto network = make_dragonfly(spec);
    INFO(network->description());
    const DragonflyLinks links(*network);
    int longest = 0, bad = 0;
    for (int b = 0; b < network->num_hosts(); ++b) {
      const auto distance = links.distances_to(b, 1);
      for (int a = 0; a < network->num_hosts(); ++a) {
        std::vector<LinkId> route;
        network->append_route(HostId{a}, HostId{b}, route);
        const bool inside = a / spec.hosts_per_blade / (spec.chassis * spec.blades) ==
                            b / spec.hosts_per_blade / (spec.chassis * spec.blades);
        const int fewest = distance[static_cast<std::size_t>(a)][inside ? 0 : 1];
        const int hops = network->hops(HostId{a}, HostId{b});
        if (!uses_no_link_twice(*network, HostId{a}, HostId{b}, route) || hops != fewest ||
            static_cast<int>(route.size()) != hops)
          ++bad;
        longest = std::max(longest, fewest);
      }
    }
    CHECK(bad == 0);
    CHECK(network->diameter() == longest);
  }
}

TEST_CASE("A minimal dragonfly route may be longer than a way by two global links") {
  // By hand: circulant, nine groups of four routers with two ports. Router 0 of group i leads to
  // groups i+1 and i-1, always to router 0: so from 0.0 to 2.0 over 1.0 is host, two global links,
  // host. The cable from group 0 to group 2 starts and ends at routers 1: two local links more.
  const auto network = make_dragonfly(dragonfly(9, 1, 4, 1, GlobalArrangement::circulant));
  const HostId from{0}, to{8};
  CHECK(DragonflyLinks(*network).distances_to(8, 2)[0][2] == 4);
  CHECK(network->hops(from, to) == 5);
}

TEST_CASE("Hosts of a blade spread over equally near cables to another group") {
  // By hand: two groups of one chassis of four blades with eight hosts each, two cables, which
  // start at blades 0 and 2 (simgrid: j, and half of the blades further on: 0->1 from 1 and 3).
  // From blade 0 of group 0 to blade 1 of group 1, all cables (1->0, 3->2) need a local link at
  // either end.
  const auto network = make_dragonfly(dragonfly(2, 1, 4, 8, GlobalArrangement::simgrid, 2));
  std::map<LinkId, int> uses;
  for (int k = 0; k < 8; ++k) {
    std::vector<LinkId> route;
    network->append_route(HostId{0}, HostId{32 + 8 + k}, route);
    REQUIRE(route.size() == 5);
    ++uses[route[2]];
  }
  REQUIRE(uses.size() == 2);
  for (const auto& [link, flows] : uses) CHECK(flows == 4);
}

TEST_CASE("All hosts of a group to the next group load one global link with everything") {
  // By hand: with one cable per pair of groups every minimal route between two groups takes it.
  const DragonflySpec spec = dragonfly(5, 2, 4, 3, GlobalArrangement::absolute);
  const auto network = make_dragonfly(spec);
  const auto traffic = network->make_link_traffic();
  const int per_group = 24;
  for (int k = 0; k < per_group; ++k)
    traffic->add(HostId{per_group + k}, HostId{2 * per_group + k}, {2.0});
  const LinkTotals totals = traffic->totals();
  int loaded = 0;
  for (int l = 0; l < network->num_links(); ++l) {
    if (network->link_class(LinkId{l}) != 3) continue;
    const auto load = totals.traffic[static_cast<std::size_t>(l)];
    CHECK((load == 0 || load == 2.0 * per_group));
    loaded += load > 0 ? 1 : 0;
  }
  CHECK(loaded == 1);
}

TEST_CASE("Valiant routes are walks by way of a third group, the minimal route inside a group") {
  const auto spec = dragonfly(5, 2, 3, 2, GlobalArrangement::relative, 2, Routing::valiant);
  const auto network = make_dragonfly(spec);
  for (int a = 0; a < network->num_hosts(); ++a)
    for (int b = 0; b < network->num_hosts(); ++b) {
      std::vector<LinkId> route;
      network->append_route(HostId{a}, HostId{b}, route);
      if (!uses_no_link_twice(*network, HostId{a}, HostId{b}, route)) FAIL(a << " -> " << b);
      const auto global = std::count_if(
          route.begin(), route.end(), [&](LinkId link) { return network->link_class(link) == 3; });
      if (global != (a / 12 == b / 12 ? 0 : 2)) FAIL(a << " -> " << b);
    }
  CHECK(network->diameter() ==
        make_dragonfly(dragonfly(5, 2, 3, 2, GlobalArrangement::relative, 2))->diameter());
}

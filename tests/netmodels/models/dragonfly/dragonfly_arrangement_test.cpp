#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/netmodels/dragonfly_shapes.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

using Table = std::vector<std::vector<int>>;

/// Global cables of a dragonfly as its links show them: for each router, counted through all
/// groups, the groups that it is joined to, ascending.
Table groups_by_router(const DragonflySpec& spec) {
  const auto network = make_dragonfly(spec);
  const int per_group = spec.chassis * spec.blades;
  Table table(static_cast<std::size_t>(spec.groups * per_group));
  for (int l = 0; l < network->num_links(); ++l) {
    if (network->link_class(LinkId{l}) != 3) continue;
    const LinkEnds ends = *network->link_ends(LinkId{l});
    table[static_cast<std::size_t>(ends.from - network->num_hosts())].push_back(
        (ends.to - network->num_hosts()) / per_group);
  }
  for (auto& groups : table) std::sort(groups.begin(), groups.end());
  return table;
}

/// The rows of one group.
Table rows(const Table& table, int group, int per_group) {
  const auto first = table.begin() + group * per_group;
  return {first, first + per_group};
}

}  // namespace

// Nine groups of four routers with two global ports each make a full dragonfly; the tables are
// worked out by hand from the definitions in arrangement.hpp.

TEST_CASE("The absolute arrangement leads from port k to group k, skipping its own") {
  const Table table = groups_by_router(dragonfly(9, 1, 4, 1, GlobalArrangement::absolute));
  CHECK(rows(table, 0, 4) == Table{{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  CHECK(rows(table, 3, 4) == Table{{0, 1}, {2, 4}, {5, 6}, {7, 8}});
  CHECK(rows(table, 8, 4) == Table{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
}

TEST_CASE("The relative arrangement leads from port k to the group k+1 further on") {
  const Table table = groups_by_router(dragonfly(9, 1, 4, 1, GlobalArrangement::relative));
  CHECK(rows(table, 0, 4) == Table{{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  CHECK(rows(table, 3, 4) == Table{{4, 5}, {6, 7}, {0, 8}, {1, 2}});
}

TEST_CASE("The circulant arrangement leads from a pair of ports as far ahead as back") {
  const Table table = groups_by_router(dragonfly(9, 1, 4, 1, GlobalArrangement::circulant));
  CHECK(rows(table, 0, 4) == Table{{1, 8}, {2, 7}, {3, 6}, {4, 5}});
  CHECK(rows(table, 3, 4) == Table{{2, 4}, {1, 5}, {0, 6}, {7, 8}});
}

TEST_CASE("SimGrid's arrangement leads from router j to group j") {
  const Table table = groups_by_router(dragonfly(3, 2, 3, 1));
  CHECK(rows(table, 0, 6) == Table{{}, {1}, {2}, {}, {}, {}});
  CHECK(rows(table, 2, 6) == Table{{0}, {1}, {}, {}, {}, {}});
}

TEST_CASE("A partly populated dragonfly fills the ports of the first routers") {
  // Six groups of three routers: five cables per group, so two per router and one left over.
  CHECK(rows(groups_by_router(dragonfly(6, 1, 3, 1, GlobalArrangement::absolute)), 2, 3) ==
        Table{{0, 1}, {3, 4}, {5}});
  // With an even number of groups the opposite group has the last port of both: {1,5}, {2,4}, {3}.
  CHECK(rows(groups_by_router(dragonfly(6, 1, 3, 1, GlobalArrangement::circulant)), 0, 3) ==
        Table{{1, 5}, {2, 4}, {3}});
  // Three groups of four routers: one port each, the second cable of a pair two ports further on.
  CHECK(rows(groups_by_router(dragonfly(3, 1, 4, 1, GlobalArrangement::relative, 2)), 1, 4) ==
        Table{{2}, {0}, {2}, {0}});
}

TEST_CASE("Relative cables join router p with the last but p, circulant ones equal routers") {
  // By hand: port k of a full relative dragonfly meets port a*h-1-k; circulant ports 2m and 2m+1
  // meet.
  for (const auto& [arrangement, sum_of_equals] :
       {std::pair{GlobalArrangement::relative, false}, {GlobalArrangement::circulant, true}}) {
    const auto network = make_dragonfly(dragonfly(9, 1, 4, 1, arrangement));
    for (int l = 0; l < network->num_links(); ++l) {
      if (network->link_class(LinkId{l}) != 3) continue;
      const LinkEnds ends = *network->link_ends(LinkId{l});
      const int from = (ends.from - 36) % 4, to = (ends.to - 36) % 4;
      CHECK(to == (sum_of_equals ? from : 3 - from));
    }
  }
}

TEST_CASE("Each pair of groups has its cables both ways, and no router more than its ports") {
  for (const DragonflySpec& spec : many_dragonflies(Routing::simgrid)) {
    const auto network = make_dragonfly(spec);
    INFO(network->description());
    const int routers = spec.chassis * spec.blades, hosts = network->num_hosts();
    std::map<std::pair<int, int>, std::multiset<std::pair<int, int>>> pairs;
    std::map<int, int> cables_of;
    for (int l = 0; l < network->num_links(); ++l) {
      if (network->link_class(LinkId{l}) != 3) continue;
      const LinkEnds ends = *network->link_ends(LinkId{l});
      const int from = ends.from - hosts, to = ends.to - hosts;
      pairs[{from / routers, to / routers}].insert({from, to});
      ++cables_of[from];
    }
    CHECK(pairs.size() == static_cast<std::size_t>(spec.groups * (spec.groups - 1)));
    for (const auto& [groups, cables] : pairs) {
      CHECK(cables.size() == static_cast<std::size_t>(spec.cables_per_pair));
      std::multiset<std::pair<int, int>> back;
      std::set<int> starts;
      for (const auto& [from, to] : cables) {
        back.insert({to, from});
        starts.insert(from);
      }
      CHECK(back == pairs[{groups.second, groups.first}]);
      if (spec.cables_per_pair <= routers)
        CHECK(starts.size() == static_cast<std::size_t>(spec.cables_per_pair));
    }
    if (spec.arrangement == GlobalArrangement::simgrid) continue;
    const int ports = ((spec.groups - 1) * spec.cables_per_pair + routers - 1) / routers;
    for (const auto& [router, cables] : cables_of) CHECK(cables <= ports);
  }
}

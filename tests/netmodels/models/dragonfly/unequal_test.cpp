#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Groups of different sizes and hosts, a group of one router, routers and groups without hosts,
/// several cables between groups, all arrangements.
const std::vector<std::string> unequal_specs{
    "dragonfly:4,1;1,1;4,1;3,groups=2:4*3/2*3+1/3*2",
    "dragonfly:5,1;1,1;4,1;2,pair_links=3,groups=4*2/1/2:3*1/2+0+2",
    "dragonfly:5,1;1,1;4,1;2,arrangement=absolute,groups=4*2/1/2:3*1/2+0+2",
    "dragonfly:6,1;1,1;3,1;2,arrangement=relative,groups=2:3*2/3*0/3:2*1",
    "dragonfly:6,1;1,1;3,1;2,arrangement=circulant,pair_links=2,groups=2:3*2/3*0/3:2*1",
    "dragonfly:1,1;1,1;4,1;2,groups=2+0+1",
    "dragonfly:2,1;1,1;1,1;2,groups=2/0"};

std::shared_ptr<const Network> unequal(const std::string& spec, Routing rule = Routing::simgrid) {
  return make_network(spec, {}, {rule});
}

}  // namespace

TEST_CASE("Unequal groups of a dragonfly are joined all to all, and so are all groups") {
  const auto network = unequal(unequal_specs.front());
  // By hand: 12 + 12 + 7 + 6 hosts at 4 + 4 + 3 + 3 routers; 12 + 12 + 6 + 6 links in groups; 4 * 3
  // between them.
  CHECK(network->num_hosts() == 37);
  CHECK(network->num_links() == 74 + 36 + 12);
  const auto classes = network->link_classes();
  CHECK((classes[0].links == 74 && classes[1].links == 36));
  CHECK((classes[2].links == 0 && classes[3].links == 12));
  CHECK(network->vertex_name(37 + 4 + 4 + 3 + 2) == "r3.0.2");
  CHECK(network->parts()[0].partitions[0].part_of[24] == 2);
  CHECK(network->parts()[2].partitions[0].part_of[30] == 10);  // the router with one host
  for (const std::string& spec : unequal_specs) {
    CAPTURE(spec);
    const auto each = unequal(spec);
    CHECK(each->description() == spec);
    std::map<std::pair<std::string, std::string>, int> between;
    std::set<std::string> names;
    const auto group_of = [&](int vertex) {
      const auto name = each->vertex_name(vertex);
      return name.substr(0, name.find('.'));
    };
    for (int l = 0; l < each->num_links(); ++l) {
      const LinkEnds ends = *each->link_ends(LinkId{l});
      CHECK(names.insert(each->link_name(LinkId{l})).second);
      if (each->link_class(LinkId{l}) == 0) continue;
      const bool inside = each->link_class(LinkId{l}) == 1;
      CHECK((group_of(ends.from) == group_of(ends.to)) == inside);
      if (!inside) ++between[{group_of(ends.from), group_of(ends.to)}];
    }
    std::set<int> counts;
    for (const auto& [pair, links] : between) counts.insert(links);
    CHECK(counts.size() <= 1);
  }
}

TEST_CASE("Routes of a dragonfly with unequal groups are walks of as many links as hops") {
  for (const std::string& spec : unequal_specs) {
    CAPTURE(spec);
    const auto network = unequal(spec);
    const auto graph = LinkGraph::of(*network);
    const std::vector<bool> none_failed(static_cast<std::size_t>(network->num_links()));
    const auto profile = network->distance_profile(network->num_hosts());
    const std::vector<int> group = network->parts()[0].partitions[0].part_of;
    int longest = 0;
    for (int a = 0; a < network->num_hosts(); ++a) {
      const auto shortest = graph->distances_from(a);  // oracle: breadth-first search
      std::vector<std::int64_t> within(profile.size());
      for (int b = 0; b < network->num_hosts(); ++b) {
        std::vector<LinkId> route;
        network->append_route(HostId{a}, HostId{b}, route);
        REQUIRE(is_walk(*network, route, HostId{a}, HostId{b}, none_failed));
        const int hops = network->hops(HostId{a}, HostId{b});
        REQUIRE(static_cast<int>(route.size()) == hops);
        REQUIRE(network->hops(HostId{b}, HostId{a}) == hops);
        // Minimal routes take one cable between groups; two may be shorter by the links in groups.
        const int fewest = shortest[static_cast<std::size_t>(b)];
        if (group[static_cast<std::size_t>(a)] == group[static_cast<std::size_t>(b)])
          REQUIRE(hops == fewest);
        REQUIRE((hops >= fewest && hops <= fewest + 1));
        longest = std::max(longest, hops);
        for (std::size_t h = static_cast<std::size_t>(fewest); h < within.size(); ++h) ++within[h];
      }
      std::int64_t most = 0;
      for (std::size_t h = 0; h < profile.size(); ++h) CHECK(within[h] <= (most += profile[h]));
      CHECK(most == network->num_hosts());
    }
    CHECK(network->diameter() == longest);
  }
}

TEST_CASE("Flows on a dragonfly with unequal groups arrive whole under every rule") {
  for (const std::string& spec : unequal_specs)
    for (const Routing rule : {Routing::simgrid, Routing::ecmp, Routing::valiant}) {
      CAPTURE(spec, to_string(rule));
      const auto network = unequal(spec, rule);
      const auto traffic = network->make_link_traffic();
      std::vector<double> expected(static_cast<std::size_t>(network->num_links()));
      for (int a = 0; a < network->num_hosts(); ++a)
        for (int b = 0; b < network->num_hosts(); ++b) {
          if (a == b) continue;
          std::vector<LinkShare> shares;
          network->append_shares(HostId{a}, HostId{b}, shares);
          std::map<int, double> surplus{{a, 1}, {b, -1}};
          double hops = 0;
          for (const auto& [link, share] : shares) {
            const LinkEnds ends = *network->link_ends(link);
            surplus[ends.from] -= share;
            surplus[ends.to] += share;
            hops += share;
            expected[index(link)] += share * (a + 1);
          }
          for (const auto& [vertex, more] : surplus) REQUIRE(std::abs(more) < 1e-9);
          REQUIRE(hops == Approx(network->mean_hops(HostId{a}, HostId{b})));
          traffic->add(HostId{a}, HostId{b}, {static_cast<double>(a + 1)});
        }
      const LinkTotals totals = traffic->totals();
      for (std::size_t l = 0; l < expected.size(); ++l)
        REQUIRE(totals.traffic[l] == Approx(expected[l]).margin(1e-9));
    }
}

TEST_CASE("On a dragonfly with unequal groups mappers keep above the bounds") {
  for (const std::string& spec : unequal_specs) {
    CAPTURE(spec);
    const auto network = unequal(spec);
    for (int l = 0; l < network->num_links(); ++l)
      CHECK(tests::hops_in_cuts(*network, LinkId{l}) <= 1);
    if (network->num_hosts() < 16) continue;
    const CommGraph guest = unit_grid({2, 8});
    const Allocation allocation = make_allocation(*network, "first:16", std::vector{1}, 1);
    const Cartesian grid({{2}, {8}});
    tests::check_mappers_above_bounds({guest, *network, allocation, &grid}, 300);
  }
}

TEST_CASE("LUMI has groups of 16 switches beside groups of 32") {
  // As its documentation says: 8 cabinets of CPU nodes, here 16 switches of 16 nodes each, and 24
  // of GPU nodes with 32 switches.
  const auto network = unequal("dragonfly:32,1;1,1;32,1;16,groups=8:16*16/24:32*16");
  CHECK(network->num_hosts() == 8 * 256 + 24 * 512);
  CHECK(network->diameter() == 5);
}

TEST_CASE("Unequal groups of a dragonfly that cannot be are one sentence that names the value") {
  const auto error_of = [](const std::string& groups, const std::string& chassis = "1") {
    return tests::message_of<UsageError>(
        [&] { make_network("dragonfly:3,1;" + chassis + ",1;4,1;2,groups=" + groups, {}); });
  };
  CHECK_THAT(error_of("2:4*2"), Catch::Contains("groups has hosts of 2 groups; accepted: 3"));
  CHECK_THAT(error_of("4:4*2"), Catch::Contains("groups has hosts of more than 3 groups"));
  CHECK_THAT(error_of("3:5*2"),
             Catch::Contains("more than 4 routers in \"5*2\"; accepted: 1 to 4"));
  CHECK_THAT(error_of("3:4*3"),
             Catch::Contains("\"3\" hosts in \"4*3\" of groups; accepted: 0 to 2"));
  CHECK_THAT(error_of("3:0"), Catch::Contains("groups has no host"));
  CHECK_THAT(error_of("3:x"), Catch::Contains("\"x\" hosts"));
  CHECK_THAT(error_of("3:4*2", "2"), Catch::Contains("groups with 2 chassis; accepted: 1 chassis"));
  const auto compatible = tests::message_of<UsageError>([] {
    make_network("dragonfly:2,1;1,1;4,1;2,groups=4*2/2*2", {}, {Routing::simgrid, true});
  });
  CHECK_THAT(compatible, Catch::Contains("unequal groups"));
  CHECK(make_network("dragonfly:3,1;1,1;4,1;2,groups=3:4*2", {})->description() ==
        "dragonfly:3,1;1,1;4,1;2");
}

#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/netmodels/static_routings.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

// What every network of the table must do, checked on its example: a new network is among them.

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Some pairs of hosts, from the first, the last and one in between.
template <class Check>
void for_some_pairs(const Network& network, Check check) {
  const int hosts = network.num_hosts(), step = std::max(1, hosts / 40);
  for (const int a : {0, hosts / 3, hosts - 1})
    for (int b = 0; b < hosts; b += step) check(HostId{a}, HostId{b});
}

/// The halo of as many ranks as the example has hosts, up to 64.
CommGraph small_guest(const Network& network) {
  return unit_grid({2, std::min(network.num_hosts(), 64) / 2});
}

}  // namespace

TEST_CASE("On every network routes are walks whose links have as many hops as it counts") {
  for (const NetworkInfo& info : all_networks()) {
    CAPTURE(info.example);
    const auto network = make_network(info.example, {});
    const std::vector<bool> none_failed(static_cast<std::size_t>(network->num_links()));
    int longest = 0;
    for_some_pairs(*network, [&](HostId a, HostId b) {
      std::vector<LinkId> route;
      network->append_route(a, b, route);
      REQUIRE(is_walk(*network, route, a, b, none_failed));
      double hops = 0;  // the number of links, unless the network weighs them
      for (const LinkId link : route) hops += network->link(link).hops;
      REQUIRE(hops == network->hops(a, b));
      longest = std::max(longest, network->hops(a, b));
    });
    CHECK(longest <= network->diameter());
  }
}

TEST_CASE("On every network a flow that splits arrives whole, on as many hops as the mean") {
  for (const NetworkInfo& info : all_networks())
    for (const auto& network : tests::under_static_routings(info.example)) {
      CAPTURE(info.example, to_string(network->routing()));
      for_some_pairs(*network, [&](HostId a, HostId b) {
        std::vector<LinkShare> shares;
        network->append_shares(a, b, shares);
        std::map<int, double> surplus{{number(a), 1}};
        surplus[number(b)] -= 1;
        double hops = 0;
        for (const auto& [link, share] : shares) {
          const auto ends = network->link_ends(link);
          surplus[ends->from] -= share;
          surplus[ends->to] += share;
          hops += share * network->link(link).hops;
        }
        for (const auto& [vertex, more] : surplus) REQUIRE(std::abs(more) < 1e-9);
        REQUIRE(hops == Approx(network->mean_hops(a, b)).margin(1e-9));
      });
    }
}

TEST_CASE("On every network sums of traffic are those of the shares") {
  for (const NetworkInfo& info : all_networks())
    for (const auto& network : tests::under_static_routings(info.example)) {
      CAPTURE(info.example, to_string(network->routing()));
      const auto traffic = network->make_link_traffic();
      std::vector<double> expected(static_cast<std::size_t>(network->num_links()));
      std::vector<LinkShare> shares;
      for_some_pairs(*network, [&](HostId a, HostId b) {
        if (a == b) return;
        const Bytes volume{static_cast<double>(8 * number(b) + 8)};
        traffic->add(a, b, volume);
        shares.clear();
        network->append_shares(a, b, shares);
        for (const auto& [link, share] : shares) expected[index(link)] += share * volume.value;
      });
      const LinkTotals totals = traffic->totals();
      for (std::size_t link = 0; link < expected.size(); ++link)
        REQUIRE(totals.traffic[link] == Approx(expected[link]).margin(1e-6));
    }
}

TEST_CASE("On every network runs of links are the shares of a flow, in their order") {
  for (const NetworkInfo& info : all_networks())
    for (const auto& network : tests::under_static_routings(info.example)) {
      CAPTURE(info.example, to_string(network->routing()));
      for_some_pairs(*network, [&](HostId a, HostId b) { tests::check_runs(*network, a, b); });
    }
}

TEST_CASE("On every network every mapper places all ranks or says why not, above the bounds") {
  for (const NetworkInfo& info : all_networks()) {
    const auto network = make_network(info.example, {});
    const CommGraph guest = small_guest(*network);
    const auto hosts = "first:" + std::to_string(guest.num_ranks());
    const Allocation allocation = make_allocation(*network, hosts, std::vector{1}, 1);
    const Cartesian grid({{2}, {guest.num_ranks() / 2}});
    CAPTURE(info.example);
    // Of about 28: those for grids and for programs of others may refuse.
    CHECK(tests::check_mappers_above_bounds({guest, *network, allocation, &grid}, 500) >= 15);
  }
}

TEST_CASE("On every network SimGrid gives one flow the narrowest of its links") {
  for (const NetworkInfo& info : all_networks()) {
    CAPTURE(info.example);
    const auto network = make_network(info.example, {{1e9}, {0}});
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    const HostId last{network->num_hosts() - 1};
    const Embedding embedding({HostId{0}, last}, allocation);
    const CommGraph guest(2, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, {2e9}}});
    std::vector<LinkId> route;
    network->append_route(HostId{0}, last, route);
    double narrowest = std::numeric_limits<double>::infinity();
    for (const LinkId link : route)
      narrowest = std::min(narrowest, network->link(link).bandwidth.value);
    // By hand: 2 GB over the bandwidth; the static bound is the same.
    const double seconds = simulate(guest, *network, embedding, {}).makespan.value;
    CHECK(seconds == Approx(2e9 / narrowest));
    CHECK(evaluate(guest, *network, embedding).max_congestion.value == Approx(seconds));
  }
}

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "tests/netmodels/static_routings.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

// Endpoints on the example of every network of the table, against the network without them.

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::string wide = ",nics=2,injection=1e18";
const std::string deep = ",node=2x3:nvlink=50GBps,numa=20GBps,nics=3,injection=5GBps";

struct Pair {
  std::shared_ptr<const Network> plain, with;
};

/// The example of a network under each rule that it accepts, without and with endpoints.
std::vector<Pair> under_rules(const NetworkInfo& info, const std::string& keys) {
  std::vector<Pair> pairs;
  for (const auto& plain : tests::under_static_routings(info.example))
    pairs.push_back({plain, make_network(info.example + keys, {}, {plain->routing()})});
  return pairs;
}

template <class Check>
void between_some_hosts(const Network& network, Check check) {
  const int hosts = network.num_hosts(), step = std::max(1, hosts / 50);
  for (const int a : {0, hosts / 3, hosts - 1})
    for (int b = 0; b < hosts; b += step) check(HostId{a}, HostId{b});
  for (int b = 0; b < std::min(hosts, 8); ++b) check(HostId{0}, HostId{b});
}

}  // namespace

TEST_CASE("Interfaces without limit leave a network as it is") {
  for (const NetworkInfo& info : all_networks())
    for (const char* keys : {",injection=inf", ",nics=2,injection=inf,extraction=inf"}) {
      const auto network = make_network(info.example + keys, {});
      CHECK(network->description() == make_network(info.example, {})->description());
    }
}

TEST_CASE("Interfaces surround the routes of every network and change no hop") {
  for (const NetworkInfo& info : all_networks())
    for (const auto& [plain, with] : under_rules(info, wide)) {
      CAPTURE(info.example, to_string(plain->routing()));
      REQUIRE(with->num_hosts() == plain->num_hosts());
      CHECK(with->diameter() == plain->diameter());
      CHECK(with->hop_metric().index() == plain->hop_metric().index());
      between_some_hosts(*plain, [&, &plain = plain, &with = with](HostId a, HostId b) {
        REQUIRE(with->host_name(a) == plain->host_name(a));
        REQUIRE(with->hops(a, b) == plain->hops(a, b));
        REQUIRE(with->mean_hops(a, b) == plain->mean_hops(a, b));
        auto inner = tests::route_of(*plain, number(a), number(b));
        const auto route = tests::route_of(*with, number(a), number(b));
        REQUIRE(route.empty() == (a == b));
        if (a == b) return;
        REQUIRE(with->link_name(route.front()) == plain->host_name(a) + ":nics-out");
        REQUIRE(with->link_name(route.back()) == plain->host_name(b) + ":nics-in");
        REQUIRE(std::equal(route.begin() + 1, route.end() - 1, inner.begin(), inner.end()));
      });
    }
}

TEST_CASE("Wide interfaces change neither bounds nor times, and loads only by their own") {
  for (const NetworkInfo& info : all_networks()) {
    CAPTURE(info.example);
    const auto plain = make_network(info.example, {}), with = make_network(info.example + wide, {});
    const int ranks = std::min(plain->num_hosts(), 64);
    const CommGraph guest = unit_grid({2, ranks / 2});
    const auto evaluated = [&](const Network& network) {
      const auto allocation = make_allocation(network, "all", std::vector{1}, 1);
      std::vector<HostId> places;
      for (int r = 0; r < guest.num_ranks(); ++r) places.push_back(HostId{r});
      const Embedding embedding(places, allocation);
      return std::tuple(evaluate(guest, network, embedding),
                        lower_bounds(guest, network, allocation),
                        simulate(guest, network, embedding, {}).makespan);
    };
    const auto [metrics, bounds, time] = evaluated(*plain);
    const auto [metrics_with, bounds_with, time_with] = evaluated(*with);
    CHECK(metrics_with.hop_bytes == metrics.hop_bytes);
    CHECK(metrics_with.max_congestion == metrics.max_congestion);
    CHECK(metrics_with.jmax == metrics.jmax);
    CHECK(bounds_with.hop_bytes == bounds.hop_bytes);
    CHECK(bounds_with.congestion.value == Approx(bounds.congestion.value));
    CHECK(time_with.value == Approx(time.value));
    for (std::size_t link = 0; link < index(plain->num_links()); ++link)
      REQUIRE(metrics_with.links[link].traffic == metrics.links[link].traffic);
  }
}

TEST_CASE("With an inside routes are walks, whose links outside interfaces are the hops") {
  for (const NetworkInfo& info : all_networks()) {
    CAPTURE(info.example);
    const auto network = make_network(info.example + deep, {});
    REQUIRE(network->num_hosts() == 6 * make_network(info.example, {})->num_hosts());
    const std::vector<bool> none_failed(index(network->num_links()));
    std::vector<int> at_once(1);
    between_some_hosts(*network, [&](HostId a, HostId b) {
      const auto route = tests::route_of(*network, number(a), number(b));
      REQUIRE(is_walk(*network, route, a, b, none_failed));
      double hops = 0;
      for (const LinkId link : route) hops += network->link(link).hops;
      REQUIRE(network->hops(a, b) == hops);
      network->hops_from(a, std::span(&b, 1), at_once);
      REQUIRE(at_once.front() == hops);
      REQUIRE(hops <= network->diameter());
    });
  }
}

TEST_CASE("With an inside shares arrive whole, and sums and runs are those of the shares") {
  for (const NetworkInfo& info : all_networks())
    for (const auto& [plain, network] : under_rules(info, deep)) {
      CAPTURE(info.example, to_string(network->routing()));
      const auto traffic = network->make_link_traffic();
      std::vector<double> expected(index(network->num_links()));
      std::vector<LinkShare> shares;
      std::vector<LinkRun> runs;
      between_some_hosts(*network, [&, &network = network](HostId a, HostId b) {
        if (a == b) return;
        shares.clear();
        network->append_shares(a, b, shares);
        std::map<int, double> surplus{{number(a), 1}, {number(b), -1}};
        for (const auto& [link, share] : shares) {
          surplus[network->link_ends(link)->from] -= share;
          surplus[network->link_ends(link)->to] += share;
          expected[index(link)] += 8 * share;
        }
        for (const auto& [vertex, more] : surplus) REQUIRE(std::abs(more) < 1e-9);
        const OutFlow flow{b, Bytes{8}};
        traffic->add_from(a, std::span(&flow, 1));
        runs.clear();
        network->append_runs(a, b, runs);
        std::size_t next = 0;
        for (const LinkRun& run : runs)
          for (int i = 0; i < run.count; ++i, ++next)
            REQUIRE(shares.at(next).link == LinkId{number(run.first) + i * run.step});
        REQUIRE(next == shares.size());
      });
      const LinkTotals totals = traffic->totals();
      for (std::size_t link = 0; link < expected.size(); ++link)
        REQUIRE(totals.traffic[link] == Approx(expected[link]).margin(1e-6));
    }
}

TEST_CASE("What a network with an inside says of its hops is what its routes have") {
  for (const NetworkInfo& info : all_networks())
    for (const char* keys :
         {",node=4", ",node=2x3", ",node=1x3", ",node=2,nics=2,injection=1GBps"}) {
      CAPTURE(info.example, keys);
      const auto network = make_network(info.example + keys, {});
      const auto first = "first:" + std::to_string(std::min(network->num_hosts(), 120));
      const Allocation some = make_allocation(*network, first, std::vector{1}, 1);
      const auto codes = host_codes(*network, some);
      REQUIRE(codes);
      std::visit(
          [&](const auto& known) {
            for (const HostId a : some.hosts)
              for (const HostId b : some.hosts)
                REQUIRE(known.from(known.code(a)).to(known.code(b)) == network->hops(a, b));
          },
          *codes);
      const auto profile = network->distance_profile(1 << 20);
      std::vector<std::int64_t> near(index(network->diameter() + 1));
      for (int h = 0; h < network->num_hosts(); ++h)
        ++near[index(network->hops(HostId{0}, HostId{h}))];
      std::int64_t most = 0, found = 0;
      for (std::size_t hops = 0; hops < near.size() && !profile.empty(); ++hops) {
        most += hops < profile.size() ? profile[hops] : 0;
        found += near[hops];
        REQUIRE(found <= most);
      }
    }
}

TEST_CASE("With an inside every mapper places all ranks or says why not, above the bounds") {
  for (const NetworkInfo& info : all_networks()) {
    const auto network =
        make_network(info.example + ",node=2x2:nvlink=100GBps,numa=50GBps,injection=10GBps", {});
    const CommGraph guest = unit_grid({4, 8});
    const Allocation allocation = make_allocation(*network, "first:32", std::vector{1}, 1);
    const Cartesian grid({{4}, {8}});
    CAPTURE(info.example);
    CHECK(tests::check_mappers_above_bounds({guest, *network, allocation, &grid}, 200) >= 15);
  }
}

TEST_CASE("Nodes of one level are the routers of a torus with as many hosts") {
  const auto hosts = make_network("torus:4x4m,per_router=4", {});
  const auto places = make_network("torus:4x4m,node=4:cable=10GBps", {});
  REQUIRE(places->num_hosts() == hosts->num_hosts());
  CHECK(places->diameter() == hosts->diameter());
  for (int b = 0; b < hosts->num_hosts(); ++b)
    REQUIRE(places->hops(HostId{5}, HostId{b}) == hosts->hops(HostId{5}, HostId{b}));
  // The same cables have the same cuts and distances.
  for (const CommGraph& guest :
       {unit_grid({8, 8}), unit_grid({4, 4, 4}), drawn_graph(60, 400, 3)}) {
    const auto bounds_on = [&](const Network& network) {
      return lower_bounds(guest, network, make_allocation(network, "all", std::vector{1}, 1));
    };
    CHECK(bounds_on(*places).hop_bytes == bounds_on(*hosts).hop_bytes);
    CHECK(bounds_on(*places).congestion.value == Approx(bounds_on(*hosts).congestion.value));
  }
}

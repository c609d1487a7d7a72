#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "tests/support/routes.hpp"

using namespace vtopo;
using tests::shares_of;

namespace {

using SharesByNumber = std::map<int, double>;

/// Links that leave each vertex, and how many links it is away from `destination`.
struct WayBack {
  explicit WayBack(const Network& network, int destination) {
    int vertices = 0;
    for (int l = 0; l < network.num_links(); ++l)
      vertices = std::max(vertices, network.link_ends(LinkId{l})->from + 1);
    leaving.resize(static_cast<std::size_t>(vertices));
    for (int l = 0; l < network.num_links(); ++l)
      leaving[static_cast<std::size_t>(network.link_ends(LinkId{l})->from)].push_back(l);
    distance.assign(leaving.size(), far);
    distance[static_cast<std::size_t>(destination)] = 0;
    for (bool changed = true; changed;) {  // relaxes until nothing changes
      changed = false;
      for (int l = 0; l < network.num_links(); ++l) {
        const auto ends = *network.link_ends(LinkId{l});
        int& from = distance[static_cast<std::size_t>(ends.from)];
        const int to = distance[static_cast<std::size_t>(ends.to)];
        if (to + 1 < from) {
          from = to + 1;
          changed = true;
        }
      }
    }
  }

  static constexpr int far = 1 << 20;
  std::vector<std::vector<int>> leaving;
  std::vector<int> distance;
};

/// Brute force: sends `amount` from `here` on, evenly over all links that come closer.
void spread(const Network& network, const WayBack& way, int here, double amount,
            SharesByNumber& shares) {
  const auto v = static_cast<std::size_t>(here);
  std::vector<int> next;
  for (const int link : way.leaving[v]) {
    const auto to = static_cast<std::size_t>(network.link_ends(LinkId{link})->to);
    if (way.distance[to] + 1 == way.distance[v]) next.push_back(link);
  }
  for (const int link : next) {
    const double part = amount / static_cast<double>(next.size());
    shares[link] += part;
    spread(network, way, network.link_ends(LinkId{link})->to, part, shares);
  }
}

std::shared_ptr<const Network> ecmp(const std::string& spec) {
  return make_network(spec, {}, {Routing::ecmp});
}

}  // namespace

TEST_CASE("ecmp on a fat tree spreads every flow as a walk of all shortest routes does") {
  for (const std::string spec :
       {"fat-tree:2;4,4;1,2;1,2", "fat-tree:2;2,3;2,2;2,3", "fat-tree:3;2,2,2;1,2,2;1,1,2",
        "fat-tree:3;2,1,2;2,2,1;1,2,1", "fat-tree:1;5;2;3"}) {
    const auto network = ecmp(spec);
    for (int b = 0; b < network->num_hosts(); ++b) {
      const WayBack way(*network, b);
      for (int a = 0; a < network->num_hosts(); ++a) {
        INFO(spec << ": " << a << " -> " << b);
        SharesByNumber expected;
        spread(*network, way, a, 1, expected);
        const auto shares = shares_of(*network, a, b);
        CHECK(shares.size() == expected.size());  // each link once
        bool same = true;
        for (const auto& [link, share] : shares)
          same = same && share == Approx(expected[number(link)]);
        CHECK(same);
      }
    }
  }
}

TEST_CASE("ecmp on a large fat tree conserves every flow at every switch") {
  const auto network = ecmp("fat-tree:3;16,16,16;2,4,8;2,1,3");
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const int a = static_cast<int>(random() % 4096), b = static_cast<int>(random() % 4096);
    std::map<int, double> surplus;
    double hops = 0;
    for (const auto& [link, share] : shares_of(*network, a, b)) {
      const auto ends = *network->link_ends(link);
      surplus[ends.from] -= share;
      surplus[ends.to] += share;
      hops += share;
    }
    INFO(a << " -> " << b);
    CHECK(hops == Approx(network->mean_hops(HostId{a}, HostId{b})));
    surplus[a] += 1;
    surplus[b] -= 1;
    double largest = 0;
    for (const auto& [vertex, amount] : surplus) largest = std::max(largest, std::abs(amount));
    CHECK(largest == Approx(0).margin(1e-12));
  }
}

TEST_CASE("The route that ecmp names is one of those that its flows take") {
  const auto network = ecmp("fat-tree:3;3,4,2;1,2,3;1,2,2");
  CHECK(network->routing() == Routing::ecmp);
  CHECK(network->splits_flows());
  for (int a = 0; a < network->num_hosts(); ++a)
    for (int b = 0; b < network->num_hosts(); ++b) {
      SharesByNumber taken;
      for (const auto& [link, share] : shares_of(*network, a, b)) taken[number(link)] = share;
      std::vector<LinkId> route;
      network->append_route(HostId{a}, HostId{b}, route);
      bool among = true;
      for (const LinkId link : route) among = among && taken.count(number(link)) == 1;
      CHECK(among);
    }
}

TEST_CASE("An all-to-all under ecmp loads every cable of a full tree alike") {
  // By hand, 4-ary 3-tree, unit volumes: a host sends 63 over its cable; a leaf switch sends
  // 4 * 60 over 4 cables, a switch above 16 leaf hosts' 16 * 48 over 16.
  const auto network = ecmp("fat-tree:3;4,4,4;1,4,4;1,1,1");
  const auto traffic = network->make_link_traffic();
  for (int a = 0; a < 64; ++a)
    for (int b = 0; b < 64; ++b)
      if (a != b) traffic->add(HostId{a}, HostId{b}, {1});
  const LinkTotals totals = traffic->totals();
  const double expected[] = {63, 60, 48};
  for (int l = 0; l < network->num_links(); ++l)
    CHECK(totals.traffic[static_cast<std::size_t>(l)] == expected[network->link_class(LinkId{l})]);
}

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <unordered_map>

#include "netmodels/network_spec.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/routes.hpp"

using namespace vtopo;
using namespace vtopo::tests;

namespace {

/// One renaming of links between SimGrid and vtopo, which must be one to one over all routes.
class Renaming {
 public:
  bool same(const std::vector<std::string>& simgrid, const std::vector<LinkId>& own) {
    bool equal = simgrid.size() == own.size();
    for (std::size_t i = 0; equal && i < own.size(); ++i)
      equal = to_own_.emplace(simgrid[i], number(own[i])).first->second == number(own[i]) &&
              to_simgrid_.emplace(number(own[i]), simgrid[i]).first->second == simgrid[i];
    return equal;
  }

 private:
  std::unordered_map<std::string, int> to_own_;
  std::unordered_map<int, std::string> to_simgrid_;
};

}  // namespace

TEST_CASE("Compatible dragonfly routes are SimGrid's lists of links for every pair") {
  for (const std::string shape :
       {"3,4;4,3;5,1;2", "2,1;3,2;2,1;1", "4,1;2,1;4,3;2", "1,1;5,1;3,1;1", "3,1;1,1;4,2;3"}) {
    INFO(shape);
    const auto network = make_network("dragonfly:" + shape, {}, {Routing::simgrid, true});
    const auto simgrid = simgrid_cluster_routes("DRAGONFLY", shape, network->num_hosts());
    Renaming renaming;
    int differing = 0, miscounted = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        const auto route = route_of(*network, a, b);
        if (!renaming.same(simgrid[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)],
                           route))
          ++differing;
        if (network->hops(HostId{a}, HostId{b}) != static_cast<int>(route.size())) ++miscounted;
      }
    CHECK(differing == 0);
    CHECK(miscounted == 0);
  }
}

TEST_CASE("Compatible dragonfly traffic is that of SimGrid's lists of links") {
  const auto network = make_network("dragonfly:3,4;4,3;5,1;2", {}, {Routing::simgrid, true});
  const auto traffic = network->make_link_traffic();
  std::vector<double> expected(static_cast<std::size_t>(network->num_links()));
  for (int a = 0; a < 120; ++a)
    for (int b = 0; b < 120; ++b) {
      if (a == b) continue;
      traffic->add(HostId{a}, HostId{b}, {1.0});
      for (const LinkId link : route_of(*network, a, b)) expected[index(link)] += 1;
    }
  CHECK(traffic->totals().traffic == expected);
}

TEST_CASE("Routes of random pairs on Theta are link for link SimGrid's where SimGrid's are sound") {
  const auto network = make_network("dragonfly:9,4;6,3;16,1;4", {});
  const auto compatible = make_network("dragonfly:9,4;6,3;16,1;4", {}, {Routing::simgrid, true});
  std::mt19937 generator(11);
  std::vector<std::pair<int, int>> pairs;
  while (pairs.size() < 100000) {
    const int a = static_cast<int>(generator() % 3456), b = static_cast<int>(generator() % 3456);
    if (a != b) pairs.emplace_back(a, b);
  }
  const auto simgrid = simgrid_cluster_routes("DRAGONFLY", "9,4;6,3;16,1;4", 3456, pairs);
  Renaming renaming, compatible_renaming;
  int differing = 0, differing_compatible = 0, unsound = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int a = pairs[i].first, b = pairs[i].second;
    if (!compatible_renaming.same(simgrid[i], route_of(*compatible, a, b))) ++differing_compatible;
    // SimGrid forgets the chassis of a flow inside a group that changes blade outside chassis 0.
    if (a / 384 == b / 384 && a / 64 % 6 != 0 && a / 4 % 16 != b / 4 % 16)
      ++unsound;
    else if (!renaming.same(simgrid[i], route_of(*network, a, b)))
      ++differing;
  }
  CHECK(differing == 0);
  CHECK(differing_compatible == 0);
  // Of all pairs 1/9 stay in their group, 5/6 start outside chassis 0, 15/16 change blade.
  CHECK(unsound == Approx(100000.0 / 9 * 5 / 6 * 15 / 16).epsilon(0.03));
}

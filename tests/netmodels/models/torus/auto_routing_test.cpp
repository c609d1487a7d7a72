#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/support/needs_wings.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using vtopo::detail::Random;

namespace {

std::shared_ptr<const Network> torus(const std::string& spec, Routing rule = Routing::automatic) {
  return make_network(spec, {}, {rule});
}

using Names = std::vector<std::string>;

/// A dimension as written: `8` or `4m`.
struct Side {
  int size;
  bool wraps;
};

std::string spec_of(const std::vector<Side>& sides, int per_router = 1) {
  std::string spec = "torus:";
  for (std::size_t d = 0; d < sides.size(); ++d)
    spec += (d == 0 ? "" : "x") + std::to_string(sides[d].size) + (sides[d].wraps ? "" : "m");
  return per_router == 1 ? spec : spec + ",per_router=" + std::to_string(per_router);
}

/// The route by hand, as names of links: dimension after dimension one step at a time, the shorter
/// way, at half a ring forwards if the coordinate of the source is even.
Names route_by_hand(const std::vector<Side>& sides, int per_router, int source, int destination) {
  const std::string r = per_router > 1 ? "r" : "";
  int here = source / per_router, stride = 1;
  const int last = destination / per_router;
  Names names;
  if (source == destination) return names;
  if (per_router > 1)
    names.push_back("host-" + std::to_string(source) + "->r" + std::to_string(here));
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const auto [size, wraps] = sides[d];
    int at = here / stride % size;
    const int to = last / stride % size;
    const int ahead = (to - at + size) % size;
    bool forwards = to > at;
    if (wraps) forwards = 2 * ahead < size || (2 * ahead == size && at % 2 == 0);
    while (at != to) {
      const int next = (at + (forwards ? 1 : size - 1)) % size;
      const int on = here + (next - at) * stride;
      names.push_back("d" + std::to_string(d) + (forwards ? "+:" : "-:") + r +
                      std::to_string(here) + "->" + r + std::to_string(on));
      here = on;
      at = next;
    }
    stride *= size;
  }
  if (per_router > 1)
    names.push_back("r" + std::to_string(here) + "->host-" + std::to_string(destination));
  return names;
}

std::vector<Side> random_sides(Random& random, bool only_rings = false) {
  std::vector<Side> sides(1 + random.below(3));
  for (Side& side : sides) {
    side.size = 2 + static_cast<int>(random.below(7));
    side.wraps = only_rings || random.below(4) > 0;
  }
  return sides;
}

/// Traffic of every router to the one that is half a ring away in each of the dimensions chosen,
/// `volume` bytes each way.
LinkTotals exchange(const Network& network, const std::vector<Side>& sides, unsigned chosen,
                    double volume) {
  const auto traffic = network.make_link_traffic();
  for (int a = 0; a < network.num_hosts(); ++a) {
    int b = 0, stride = 1;
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const int size = sides[d].size, at = a / stride % size;
      b += ((chosen >> d & 1U) != 0 ? (at + size / 2) % size : at) * stride;
      stride *= size;
    }
    traffic->add(HostId{a}, HostId{b}, {volume});
  }
  return traffic->totals();
}

double sum(const LinkTotals& totals) {
  double all = 0;
  for (const double bytes : totals.traffic) all += bytes;
  return all;
}

double largest_difference(const LinkTotals& a, const LinkTotals& b) {
  double largest = 0;
  for (std::size_t l = 0; l < a.traffic.size(); ++l)
    largest = std::max(largest, std::abs(a.traffic[l] - b.traffic[l]));
  return largest;
}

}  // namespace

TEST_CASE("Under auto a flow over half a ring goes forwards from even coordinates") {
  // By hand on a ring of four: 0 and 2 go forwards, 1 and 3 backwards; SimGrid sends only 2
  // backwards.
  const auto ring = torus("torus:4");
  CHECK(tests::route_names(*ring, 0, 2) == Names{"d0+:0->1", "d0+:1->2"});
  CHECK(tests::route_names(*ring, 1, 3) == Names{"d0-:1->0", "d0-:0->3"});
  CHECK(tests::route_names(*ring, 2, 0) == Names{"d0+:2->3", "d0+:3->0"});
  CHECK(tests::route_names(*ring, 3, 1) == Names{"d0-:3->2", "d0-:2->1"});
  // The coordinate is that of the dimension in which the tie is: 5 = (1, 1) and 3 = (3, 0) of 4x4.
  const auto square = torus("torus:4x4");
  CHECK(tests::route_names(*square, 5, 14) == Names{"d0+:5->6", "d1-:6->2", "d1-:2->14"});
  CHECK(tests::route_names(*square, 2, 13) == Names{"d0-:2->1", "d1-:1->13"});
  CHECK(tests::route_names(*square, 3, 9) == Names{"d0-:3->2", "d0-:2->1", "d1+:1->5", "d1+:5->9"});
}

TEST_CASE("Routes under auto are those walked by hand") {
  Random random(42);
  for (int repeat = 0; repeat < 40; ++repeat) {
    const auto sides = random_sides(random);
    const int per_router = random.below(3) == 0 ? 2 : 1;
    const auto network = torus(spec_of(sides, per_router));
    INFO(network->description());
    CHECK_FALSE(network->splits_flows());
    int wrong = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        wrong += tests::route_names(*network, a, b) != route_by_hand(sides, per_router, a, b);
        if (a % 29 == 0) tests::check_runs(*network, HostId{a}, HostId{b});
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Where no tie differs, auto is SimGrid's rule and says so") {
  for (const std::string spec : {"torus:5x7", "mesh:4x6", "torus:4mx3", "torus:2x2x3", "torus:1"}) {
    INFO(spec);
    const auto network = torus(spec), simgrid = torus(spec, Routing::simgrid);
    CHECK(network->routing() == Routing::simgrid);
    int wrong = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b)
        wrong += tests::route_of(*network, a, b) != tests::route_of(*simgrid, a, b);
    CHECK(wrong == 0);
  }
  for (const std::string spec : {"torus:4", "torus:2x6", "torus:3x4x2m", "torus:4x4x8,twist=4"})
    CHECK(to_string(torus(spec)->routing()) == "auto");
  for (const std::string spec :
       {"fat-tree:2;4,4;1,2;1,2", "dragonfly:4,1;1,1;4,1;1", "hyperx:4x4", "tree:4:8@1:10"})
    CHECK(torus(spec)->routing() == Routing::simgrid);
}

TEST_CASE("Exchanges with partners half a ring away load links as if every flow split") {
  // Of the sources of a ring of 4k that pass a cable, half are even; where the size is 4k + 2, k or
  // k + 1 of 2k + 1 are, so that half a flow is too many or too few. A ring of two has two cables,
  // and one route takes the first.
  Random random(7);
  int exchanges = 0;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const auto sides = random_sides(random, true);
    const std::string spec = spec_of(sides);
    INFO(spec);
    const auto network = torus(spec), split = torus(spec, Routing::split);
    const double volume = 2.0 * static_cast<double>(1 + random.below(1000));
    for (unsigned chosen = 1; chosen < 1U << sides.size(); ++chosen) {
      bool is_tie = true, is_even = true, has_twos = false;
      for (std::size_t d = 0; d < sides.size(); ++d) {
        if ((chosen >> d & 1U) == 0) continue;
        is_tie &= sides[d].size % 2 == 0;
        is_even &= sides[d].size % 4 == 0;
        has_twos |= sides[d].size == 2;
      }
      if (!is_tie || has_twos) continue;
      const auto totals = exchange(*network, sides, chosen, volume);
      const auto halves = exchange(*split, sides, chosen, volume);
      CHECK(largest_difference(totals, halves) == (is_even ? 0 : volume / 2));
      CHECK(sum(totals) == sum(halves));  // hop-bytes
      ++exchanges;
    }
  }
  CHECK(exchanges > 40);
}

TEST_CASE("Stencils of distance half a ring load links as if every flow split") {
  // Several exchanges at once, with volumes of their own: 4x8 neighbours, then half rings of both
  // dimensions and of each; ties are the only flows that split.
  const std::vector<Side> sides{{4, true}, {8, true}};
  const auto network = torus(spec_of(sides)), split = torus(spec_of(sides), Routing::split);
  std::vector<double> both, halves;
  for (const auto* one : {&network, &split}) {
    auto& sums = one == &network ? both : halves;
    for (unsigned chosen = 1; chosen < 4; ++chosen) {
      const auto totals = exchange(**one, sides, chosen, 100.0 * chosen);
      sums.resize(totals.traffic.size());
      for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += totals.traffic[l];
    }
  }
  CHECK(both == halves);
  // By hand: of the 32 flows of 100 bytes over 2 links of dimension 0 each of its 64 links has 100,
  // of those of 300 bytes likewise 300.
  CHECK(both[0] == 400);
}

TEST_CASE("Without a failed link a flow keeps its route, with one it takes another") {
  const auto ring = torus("torus:8");
  const auto edited = apply_edits(ring, NetworkEdits{{"d0-:1->0"}, {}, {}});
  CHECK(to_string(edited->routing()) == "auto");
  CHECK(tests::route_names(*edited, 5, 1) == tests::route_names(*ring, 5, 1));
  CHECK(tests::route_names(*edited, 0, 4) == tests::route_names(*ring, 0, 4));
  CHECK(tests::route_names(*edited, 1, 5) == Names{"d0+:1->2", "d0+:2->3", "d0+:3->4", "d0+:4->5"});
}

TEST_CASE("Interfaces and the inside of hosts lie around the routes of auto") {
  const auto ring = torus("torus:4"),
             nodes = torus("torus:4,node=2:link=100GBps,nics=2,injection=5GBps");
  CHECK(to_string(nodes->routing()) == "auto");
  // Places 2 and 3 are those of host 1, which goes backwards to host 3 with places 6 and 7.
  CHECK(tests::route_names(*nodes, 2, 7) == Names{"host-1:link.0-up", "host-1:nic0-out", "d0-:1->0",
                                                  "d0-:0->3", "host-3:nic1-in",
                                                  "host-3:link.1-down"});
}

TEST_CASE("A twisted torus under auto has shortest routes with ties by parity") {
  // By hand: the second dimension of 4x4x8, which the twist leaves alone, is a ring of four; 4 and
  // 12 = (0, 1, 0) and (0, 3, 0).
  const auto twisted = torus("torus:4x4x8,twist=4");
  CHECK(tests::route_names(*twisted, 0, 8) == Names{"d1+:0->4", "d1+:4->8"});
  CHECK(tests::route_names(*twisted, 4, 12) == Names{"d1-:4->0", "d1-:0->12"});
  CHECK(tests::route_names(*torus("torus:4x4x8,twist=4", Routing::simgrid), 4, 12) ==
        Names{"d1+:4->8", "d1+:8->12"});
  for (const std::string spec : {"torus:8x4,twist=4", "torus:4x8,twist=4", "torus:2x4,twist=3",
                                 "torus:4x3mx4,twist=2", "torus:6x3,twist=3,per_router=2"}) {
    INFO(spec);
    const auto network = torus(spec), forwards = torus(spec, Routing::simgrid);
    const auto traffic = network->make_link_traffic();
    const auto walked = network->Network::make_link_traffic();
    int wrong = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        if (a == b) continue;
        const auto route = tests::route_of(*network, a, b);
        wrong += std::ssize(route) != forwards->hops(HostId{a}, HostId{b});
        for (std::size_t i = 0; i + 1 < route.size(); ++i)
          wrong += network->link_ends(route[i])->to != network->link_ends(route[i + 1])->from;
        traffic->add(HostId{a}, HostId{b}, {1});
        walked->add(HostId{a}, HostId{b}, {1});
      }
    CHECK(wrong == 0);
    CHECK((traffic->totals().traffic == walked->totals().traffic));
  }
}

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/fabric/bisection.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/needs_wings.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Twists of the first and of the last dimension, odd and even sizes, sizes of two, a mesh
/// dimension in between, several hosts per router, a long dimension that a short one shifts by
/// little.
const std::vector<std::string> twisted_specs{
    "torus:8x4,twist=4",   "torus:4x8,twist=4",    "torus:4x6,twist=1",
    "torus:5x3,twist=2",   "torus:2x4,twist=3",    "torus:4x2,twist=1",
    "torus:3x2x6,twist=3", "torus:4x3mx4,twist=2", "torus:6x3,twist=3,per_router=2",
    "torus:20x2,twist=3",  "torus:4x4x8,twist=4",  "torus:6x1x4,twist=5"};

std::shared_ptr<const Network> twisted(const std::string& spec, Routing rule = Routing::simgrid) {
  return make_network(spec, {}, {rule});
}

/// Neighbours of a router by hand: sizes x, y, z; the wrap of z shifts x, or that of x shifts z.
std::multiset<int> neighbours_by_hand(int router, std::vector<int> sizes, int twist) {
  const bool last_shifts = twist < sizes.front();
  std::vector<int> at;
  for (const int size : sizes) {
    at.push_back(router % size);
    router /= size;
  }
  const auto id = [&](std::vector<int> to) {
    int result = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) result = result * sizes[d] + to[d];
    return result;
  };
  std::multiset<int> result;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    for (const int step : {1, -1}) {
      std::vector<int> to = at;
      to[d] += step;
      const int wraps = to[d] < 0 ? -1 : to[d] == sizes[d] ? 1 : 0;
      to[d] = (to[d] + sizes[d]) % sizes[d];
      const bool is_last = d + 1 == sizes.size();
      if (wraps != 0 && (last_shifts ? is_last : d == 0)) {
        const std::size_t shifted = last_shifts ? 0 : sizes.size() - 1;
        to[shifted] = (to[shifted] + wraps * twist + sizes[shifted]) % sizes[shifted];
      }
      result.insert(id(to));
    }
  return result;
}

}  // namespace

TEST_CASE("The wrap of a twisted torus leads to another line") {
  for (const auto& [spec, sizes, twist] :
       std::vector<std::tuple<std::string, std::vector<int>, int>>{
           {"torus:8x4,twist=4", {8, 4}, 4},
           {"torus:4x8,twist=4", {4, 8}, 4},
           {"torus:4x6,twist=1", {4, 6}, 1},
           {"torus:3x2x6,twist=3", {3, 2, 6}, 3},
           {"torus:4x4x8,twist=4", {4, 4, 8}, 4}}) {
    CAPTURE(spec);
    const auto network = twisted(spec);
    std::vector<std::multiset<int>> to(static_cast<std::size_t>(network->num_hosts()));
    for (int l = 0; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      to[static_cast<std::size_t>(ends.from)].insert(ends.to);
      // Links 2c and 2c + 1 are one cable.
      const LinkEnds back = *network->link_ends(LinkId{l ^ 1});
      CHECK((ends.from == back.to && ends.to == back.from));
    }
    for (int r = 0; r < network->num_hosts(); ++r)
      CHECK(to[static_cast<std::size_t>(r)] == neighbours_by_hand(r, sizes, twist));
  }
  // By hand: from (0, 3) of 8x4 on to (4, 0); from (3, 0) of 4x8 on to (0, 4).
  CHECK(twisted("torus:8x4,twist=4")->link_name(LinkId{2 * (32 + 24)}) == "d1+:24->4");
  CHECK(twisted("torus:4x8,twist=4")->link_name(LinkId{2 * 3}) == "d0+:3->16");
}

TEST_CASE("Routes of a twisted torus are shortest") {
  for (const std::string& spec : twisted_specs) {
    CAPTURE(spec);
    const auto network = twisted(spec);
    const auto graph = LinkGraph::of(*network);
    const std::vector<bool> none_failed(static_cast<std::size_t>(network->num_links()));
    int longest = 0;
    std::vector<std::int64_t> at(static_cast<std::size_t>(network->diameter()) + 1);
    for (int a = 0; a < network->num_hosts(); ++a) {
      const auto distances = graph->distances_from(a);  // oracle: breadth-first search
      for (int b = 0; b < network->num_hosts(); ++b) {
        const int expected = distances[static_cast<std::size_t>(b)];
        std::vector<LinkId> route;
        network->append_route(HostId{a}, HostId{b}, route);
        REQUIRE(is_walk(*network, route, HostId{a}, HostId{b}, none_failed));
        REQUIRE(static_cast<int>(route.size()) == expected);
        REQUIRE(network->hops(HostId{a}, HostId{b}) == expected);
        longest = std::max(longest, expected);
        if (a == 0) ++at[static_cast<std::size_t>(expected)];
      }
    }
    CHECK(network->diameter() == longest);
    // All routers see the same, but for the mesh dimension.
    if (spec.find('m') == std::string::npos)
      CHECK(network->distance_profile(network->num_hosts()) == at);
  }
}

TEST_CASE("A twist by half of the longer dimension shortens the ways of k x 2k") {
  // Camara et al. (2010): a 2a x a torus has the diameter a + a/2, twisted by a it has a.
  for (const int a : {4, 8, 16}) {
    const std::string sizes = std::to_string(2 * a) + "x" + std::to_string(a);
    const std::string turned = std::to_string(a) + "x" + std::to_string(2 * a);
    const std::string twist = ",twist=" + std::to_string(a);
    CHECK(twisted("torus:" + sizes)->diameter() == a + a / 2);
    CHECK(twisted("torus:" + sizes + twist)->diameter() == a);
    CHECK(twisted("torus:" + turned + twist)->diameter() == a);
  }
  // The slices of a TPU v4: 8 / 2 links across the second dimension on top.
  CHECK(twisted("torus:8x8x16,twist=8")->diameter() == 8 + 4);
  CHECK(twisted("torus:8x8x16")->diameter() == 4 + 4 + 8);
}

TEST_CASE("The bisection of a twisted k x 2k is 4k links, twice that of the torus") {
  // All halves up to 18 hosts. 4 x 8 and 5 x 10 have 16 and 20 by branch and bound too.
  for (const char* spec :
       {"torus:4x2,twist=2", "torus:2x4,twist=2", "torus:6x3,twist=3", "torus:3x6,twist=3"}) {
    INFO(spec);
    const auto network = make_network(spec, {{1}, {0}});
    const int hosts = network->num_hosts();
    int least = network->num_links();
    for (unsigned half = 0; half < 1U << static_cast<unsigned>(hosts); ++half) {
      if (2 * __builtin_popcount(half) != hosts) continue;
      int links = 0;
      for (int l = 0; l < network->num_links(); ++l) {
        const LinkEnds ends = *network->link_ends(LinkId{l});
        links += static_cast<int>(half >> ends.from & 1U & ~(half >> ends.to));
      }
      least = std::min(least, links);
    }
    REQUIRE(network->bisection());
    CHECK(network->bisection()->links == least);
    CHECK(network->bisection()->bandwidth.value == least);
  }
  for (const char* spec : {"torus:8x4,twist=4", "torus:5x10,twist=5", "torus:12x6,twist=6"}) {
    const auto network = make_network(spec, {{1}, {0}});
    CHECK(estimate_bisection(*LinkGraph::of(*network), *network).bandwidth.value ==
          Approx(network->bisection()->bandwidth.value));
  }
}

TEST_CASE("Other twisted tori have no closed form of the bisection") {
  for (const char* spec :
       {"torus:4x6,twist=1", "torus:4x4x8,twist=4", "torus:6x3,twist=2",
        "torus:6x3,twist=3,per_router=2", "torus:6x3,twist=3,bandwidth=1GBps/2GBps"})
    CHECK_FALSE(make_network(spec, {{1}, {0}})->bisection());
}

TEST_CASE("Equal-cost multipath on a twisted torus splits as a search in its links does") {
  for (const std::string& spec : twisted_specs) {
    CAPTURE(spec);
    const auto network = twisted(spec, Routing::ecmp);
    if (network->num_hosts() > 40) continue;
    const ShortestRoutes oracle(LinkGraph::of(*network));
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        if (a == b) continue;
        std::vector<LinkShare> list;
        oracle.append_shares(HostId{a}, HostId{b}, list);
        std::map<LinkId, double> expected;
        for (const auto& [link, share] : list) expected[link] += share;
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
      }
  }
}

TEST_CASE("Valiant's legs on a twisted torus are the mean over all routers in between") {
  for (const char* spec : {"torus:4x6,twist=1", "torus:4x3mx4,twist=2", "torus:4x8,twist=4"}) {
    CAPTURE(spec);
    const auto network = twisted(spec, Routing::valiant);
    const int hosts = network->num_hosts();
    const auto traffic = network->make_link_traffic();
    std::vector<double> sums(static_cast<std::size_t>(network->num_links()));
    for (int a = 0; a < hosts; a += 3)
      for (int b = 0; b < hosts; ++b) {
        if (a == b) continue;
        std::map<LinkId, double> expected;  // oracle: two routes by way of every router in turn
        double hops = 0;
        for (int by = 0; by < hosts; ++by) {
          std::vector<LinkId> route;
          network->append_route(HostId{a}, HostId{by}, route);
          network->append_route(HostId{by}, HostId{b}, route);
          for (const LinkId link : route) expected[link] += 1.0 / hosts;
          hops += static_cast<double>(route.size()) / hosts;
        }
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
        CHECK(network->mean_hops(HostId{a}, HostId{b}) == Approx(hops));
        traffic->add(HostId{a}, HostId{b}, {1 + b / 8.0});
        for (const auto& [link, share] : expected) sums[index(link)] += share * (1 + b / 8.0);
      }
    const LinkTotals totals = traffic->totals();
    for (std::size_t l = 0; l < sums.size(); ++l)
      CHECK(totals.traffic[l] == Approx(sums[l]).margin(1e-9));
  }
}

TEST_CASE("A twisted torus has no coordinates, and cuts in which no link counts twice") {
  for (const std::string& spec : twisted_specs) {
    CAPTURE(spec);
    const auto network = twisted(spec);
    CHECK_FALSE(network->coordinates());
    CHECK(std::holds_alternative<RouterMetric>(network->hop_metric()));
    CHECK(network->layout());
    CHECK(make_network(network->description(), {})->description() == network->description());
    for (int l = 0; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      double hops = 0;
      for (const VertexCells& cells : network->cuts()) {
        const int from = cells.of(ends.from), to = cells.of(ends.to);
        if (from == to) continue;
        const int apart = std::abs(from - to);
        if (cells.joined == AxisKind::ring) CHECK((apart == 1 || apart == cells.count - 1));
        if (cells.joined == AxisKind::path) CHECK(apart == 1);
        hops += cells.hops * (cells.joined != AxisKind::complete ? 1 : (from >= 0) + (to >= 0));
      }
      CHECK(hops <= 1);
    }
  }
}

TEST_CASE("On a twisted torus mappers keep above the bounds and SimGrid agrees with the links") {
  const auto network = make_network("torus:4x4x8,twist=4", {{1e9}, {0}});
  const CommGraph guest = unit_grid({8, 16});
  const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
  const Cartesian grid({{8}, {16}});
  const MappingProblem problem{guest, *network, allocation, &grid};
  tests::check_mappers_above_bounds(
      problem, 300, [&](const MapperInfo& mapper, const Embedding& embedding, const Metrics& is) {
        if (mapper.name == "block")
          CHECK(simulate(guest, *network, embedding, {}).makespan >= is.max_congestion * 0.999);
      });
}

TEST_CASE("A twist that no torus has is refused in one sentence") {
  const auto error_of = [](const std::string& spec, Routing rule = Routing::simgrid) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
  };
  CHECK(error_of("torus:8x16,twist=16") ==
        "torus with a twist of 16: accepted are 1 to 15 for dimensions of first size 8 and last "
        "size 16");
  CHECK_THAT(error_of("torus:8x16,twist=0"), Catch::Contains("twist 0 in"));
  CHECK_THAT(error_of("torus:8x16,twist=-4"), Catch::Contains("twist -4 in"));
  for (const char* spec : {"torus:8,twist=4", "torus:8x16m,twist=4", "torus:1x16,twist=4"})
    CHECK_THAT(error_of(spec), Catch::Contains("where the first and the last dimension"));
  CHECK_THAT(error_of("mesh:8x16,twist=4"), Catch::Contains("unknown key \"twist\""));
  for (const Routing rule : {Routing::positive, Routing::split})
    CHECK_THAT(error_of("torus:8x16,twist=8", rule),
               Catch::Contains("accepted for a twisted torus: simgrid"));
}

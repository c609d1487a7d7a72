#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "netmodels/models/torus/torus.hpp"
#include "tests/netmodels/torus_names.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Flow {
  HostId source;
  HostId destination;
  Bytes volume;
};

std::vector<TorusSpec> tori_of_traffic(Routing rule) {
  std::vector<TorusSpec> specs;
  for (const auto& shape :
       std::vector<std::vector<TorusDimension>>{{{16}},
                                                {{2}, {2}, {2}},
                                                {{6}, {5}, {4}},
                                                {{7, tests::mesh}, {8}},
                                                {{4}, {1}, {9, tests::mesh}, {2}},
                                                {{12}, {10}, {1, tests::mesh}},
                                                {{3}, {3}, {3}, {2, tests::mesh}},
                                                {{1}}})
    for (const int per_router : {1, 2}) specs.push_back({shape, {}, {rule}, per_router});
  return specs;
}

std::vector<Flow> random_flows(const Network& network, int count, Random& random,
                               double (*draw)(Random&)) {
  std::vector<Flow> flows;
  const auto hosts = static_cast<std::uint64_t>(network.num_hosts());
  while (hosts > 1 && static_cast<int>(flows.size()) < count) {
    const HostId a{static_cast<int>(random.below(hosts))}, b{static_cast<int>(random.below(hosts))};
    if (a != b) flows.push_back({a, b, {draw(random)}});
  }
  return flows;
}

LinkTotals sum(std::unique_ptr<LinkTraffic> traffic, const std::vector<Flow>& flows) {
  for (const auto& [source, destination, volume] : flows) traffic->add(source, destination, volume);
  return traffic->totals();
}

LinkTotals fast(const Network& network, const std::vector<Flow>& flows) {
  return sum(network.make_link_traffic(), flows);
}

/// The walk over the links of every flow.
LinkTotals slow(const Network& network, const std::vector<Flow>& flows) {
  return sum(network.Network::make_link_traffic(), flows);
}

double whole_bytes(Random& random) {
  return 1 + static_cast<double>(random.below(1000001));
}
double eighths(Random& random) {
  return (1 + static_cast<double>(random.below(64))) / 8;
}
double broken(Random& random) {
  return 0.001 + static_cast<double>(random.below(1000)) / 7;
}
/// Every other one so large that 64 bits hold few of them.
double huge(Random& random) {
  return random.below(2) == 0 ? std::ldexp(3, 58) : 1 + static_cast<double>(random.below(9));
}

constexpr Routing single_and_split[] = {Routing::automatic, Routing::simgrid, Routing::positive,
                                        Routing::split};

double largest_relative_difference(std::span<const double> a, std::span<const double> b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(a[i], b[i]));
  return largest;
}

/// Every host to every other, unit volume: the largest load of each kind of links.
std::vector<double> all_to_all(const TorusSpec& spec) {
  const auto network = make_torus(spec);
  std::vector<Flow> flows;
  for (int a = 0; a < network->num_hosts(); ++a)
    for (int b = 0; b < network->num_hosts(); ++b)
      if (a != b) flows.push_back({HostId{a}, HostId{b}, {1}});
  const auto totals = fast(*network, flows);
  std::vector<double> least(network->link_classes().size(), 1e300), most(least.size());
  for (int l = 0; l < network->num_links(); ++l) {
    const auto kind = static_cast<std::size_t>(network->link_class(LinkId{l}));
    least[kind] = std::min(least[kind], totals.traffic[static_cast<std::size_t>(l)]);
    most[kind] = std::max(most[kind], totals.traffic[static_cast<std::size_t>(l)]);
  }
  if (spec.dimensions.front().wraps) CHECK(least == most);
  return most;
}

}  // namespace

TEST_CASE("Link loads from ring differences equal the walk, exactly for whole bytes") {
  // Exact: all sums are below 2^53, so the walk's doubles do not round either.
  Random random(1);
  for (const Routing rule : single_and_split)
    for (const TorusSpec& spec : tori_of_traffic(rule)) {
      INFO(tests::torus_name(spec));
      const auto network = make_torus(spec);
      for (const auto draw : {whole_bytes, eighths}) {
        const auto flows = random_flows(*network, 500, random, draw);
        const auto expected = slow(*network, flows), totals = fast(*network, flows);
        CHECK((totals.traffic == expected.traffic));
        CHECK((totals.flows == expected.flows));
      }
    }
}

TEST_CASE("Link loads of broken and of huge volumes equal the walk, and unused links carry 0") {
  Random random(2);
  for (const Routing rule : single_and_split)
    for (const TorusSpec& spec : tori_of_traffic(rule)) {
      INFO(tests::torus_name(spec));
      const auto network = make_torus(spec);
      for (const auto draw : {broken, huge}) {
        const auto flows = random_flows(*network, 40, random, draw);
        const auto expected = slow(*network, flows), totals = fast(*network, flows);
        CHECK(largest_relative_difference(totals.traffic, expected.traffic) < 1e-12);
        CHECK((totals.flows == expected.flows));
        int wrong_zeros = 0;
        for (std::size_t l = 0; l < totals.traffic.size(); ++l)
          wrong_zeros += (totals.traffic[l] == 0) != (expected.flows[l] == 0);
        CHECK(wrong_zeros == 0);
      }
    }
}

TEST_CASE("Millions of flows over one link are counted exactly") {
  // 2^22 + 5 flows of 3 bytes each from host 0 to 1 of a ring, 1000 flows of 2^40 - 1 bytes back.
  const auto ring = make_torus({{{5}}, {}});
  const auto traffic = ring->make_link_traffic();
  const int count = (1 << 22) + 5;
  for (int i = 0; i < count; ++i) traffic->add(HostId{0}, HostId{1}, {3});
  for (int i = 0; i < 1000; ++i) traffic->add(HostId{1}, HostId{0}, {std::ldexp(1, 40) - 1});
  const auto totals = traffic->totals();
  CHECK(totals.traffic[0] == 3.0 * count);
  CHECK(totals.flows[0] == count);
  CHECK(totals.traffic[1] == 1000 * (std::ldexp(1, 40) - 1));
  CHECK(totals.flows[1] == 1000);
  CHECK(totals.traffic[2] == 0);
}

TEST_CASE("Link loads under ecmp and valiant equal the walk over shares") {
  Random random(3);
  for (const Routing rule : {Routing::ecmp, Routing::valiant})
    for (const TorusSpec& spec : tori_of_traffic(rule)) {
      INFO(tests::torus_name(spec));
      const auto network = make_torus(spec);
      const auto flows = random_flows(*network, 200, random, whole_bytes);
      const auto expected = slow(*network, flows), totals = fast(*network, flows);
      CHECK(largest_relative_difference(totals.traffic, expected.traffic) < 1e-12);
      double sum = 0, hop_bytes = 0;
      for (const double load : totals.traffic) sum += load;
      for (const auto& [source, destination, volume] : flows)
        hop_bytes += volume.value * network->mean_hops(source, destination);
      CHECK(sum == Approx(hop_bytes).epsilon(1e-12));
      if (rule == Routing::ecmp) CHECK(totals.flows == expected.flows);
    }
}

TEST_CASE("Under ecmp many flows of a few shapes, and one of each, equal the walk over shares") {
  // 3,000 flows on 8 x 9 x 4 routers: most shapes of boxes occur several times, half rings too;
  // long rows and tori of more than three dimensions.
  Random random(5);
  const std::vector<std::vector<TorusDimension>> shapes{
      {{8}, {9}, {4}}, {{40}, {6}}, {{4}, {4, tests::mesh}, {4}, {3}, {2}}};
  for (const auto& shape : shapes) {
    const TorusSpec spec{shape, {}, {Routing::ecmp}, 1};
    INFO(tests::torus_name(spec));
    const auto network = make_torus(spec);
    const auto flows = random_flows(*network, 3000, random, whole_bytes);
    const auto expected = slow(*network, flows), totals = fast(*network, flows);
    CHECK(largest_relative_difference(totals.traffic, expected.traffic) < 1e-12);
    CHECK(totals.flows == expected.flows);
  }
}

TEST_CASE("Under valiant each leg that may use a link counts as a flow there") {
  // The oracle marks the links of SimGrid's routes to and from every intermediate router.
  Random random(4);
  for (const TorusSpec& spec : tori_of_traffic(Routing::valiant)) {
    INFO(tests::torus_name(spec));
    const auto network = make_torus(spec);
    const auto routers = make_torus({spec.dimensions, {}});
    const auto flows = random_flows(*network, 20, random, whole_bytes);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(network->num_links()));
    for (const auto& [source, destination, volume] : flows) {
      const HostId a{number(source) / spec.hosts_per_router};
      const HostId b{number(destination) / spec.hosts_per_router};
      if (spec.hosts_per_router > 1) {
        ++expected[static_cast<std::size_t>(routers->num_links() + 2 * number(source))];
        ++expected[static_cast<std::size_t>(routers->num_links() + 2 * number(destination) + 1)];
      }
      if (a == b) continue;
      std::vector<LinkId> to, on;
      for (int m = 0; m < routers->num_hosts(); ++m) {
        routers->append_route(a, HostId{m}, to);
        routers->append_route(HostId{m}, b, on);
      }
      for (auto* leg : {&to, &on}) {
        std::sort(leg->begin(), leg->end());
        leg->erase(std::unique(leg->begin(), leg->end()), leg->end());
        for (const LinkId link : *leg) ++expected[index(link)];
      }
    }
    CHECK((fast(*network, flows).flows == expected));
  }
}

TEST_CASE("All-to-all loads every link of dimension i with N*k_i/8 if ties split") {
  // heuristics: torus with even sizes, unit volumes, dimension order, ties over both directions.
  CHECK(all_to_all({{{4}, {4}}, {}, {Routing::split}}) == std::vector<double>{8, 8});
  CHECK(all_to_all({{{8}, {4}}, {}, {Routing::split}}) == std::vector<double>{32, 16});
  CHECK(all_to_all({{{4}, {4}, {4}}, {}, {Routing::split}}) == std::vector<double>{32, 32, 32});
  CHECK(all_to_all({{{2}, {6}, {4}}, {}, {Routing::split}}) == std::vector<double>{12, 36, 24});
}

TEST_CASE("All-to-all loads a centre link of a mesh with N*k/4") {
  // A cut between the halves of a line of k: k/2 * k/2 pairs of coordinates, N/k times over.
  CHECK(all_to_all({{{8, tests::mesh}}, {}}) == std::vector<double>{16});
  CHECK(all_to_all({{{4, tests::mesh}, {6, tests::mesh}}, {}}) == std::vector<double>{24, 36});
}

#include <catch2/catch.hpp>
#include <cmath>

#include "netmodels/network_spec.hpp"
#include "netmodels/traffic_routing/load_balance.hpp"
#include "netmodels/traffic_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Groups of a x p hosts with one cable to each of a x h other groups, balanced: h = p. The
/// arrangement spreads them over the routers, so that local links are less busy than cables.
struct Dragonfly {
  int routers, hosts_per_router;
  int group_size() const { return routers * hosts_per_router; }
  int groups() const { return group_size() + 1; }
  int hosts() const { return groups() * group_size(); }
  std::shared_ptr<const Network> under(Routing rule) const {
    return make_network(fmt::format("dragonfly:{},1;1,1;{},1;{},arrangement=relative", groups(),
                                    routers, hosts_per_router),
                        {.bandwidth = {1}, .latency = {0}}, {rule});
  }
};

/// Every host sends a byte to its place in the next group.
std::vector<HostFlow> to_next_group(const Dragonfly& dragonfly) {
  std::vector<HostFlow> flows;
  for (int h = 0; h < dragonfly.hosts(); ++h)
    flows.push_back({HostId{h}, HostId{(h + dragonfly.group_size()) % dragonfly.hosts()}, {1}});
  return flows;
}

/// What flows put on links, and how far they travel.
struct Loads {
  double largest = 0;
  double total = 0;
};

Loads loads_of(const Network& network, const std::vector<HostFlow>& flows) {
  const auto routed = network.routed(flows);
  const Network& is = routed ? *routed : network;
  const auto traffic = is.make_link_traffic();
  for (const HostFlow& flow : flows) traffic->add(flow.source, flow.destination, flow.volume);
  Loads loads;
  for (const double on : traffic->totals().traffic) {
    loads.largest = std::max(loads.largest, on);
    loads.total += on;
  }
  return loads;
}

TwoRoutings random_routings(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
  TwoRoutings flows;
  const int links = 3 + below(12), count = 1 + below(20);
  for (int l = 0; l < links; ++l) flows.capacity.push_back(1 + below(5));
  for (int f = 0; f < count; ++f) {
    for (auto* rows : {&flows.first, &flows.second}) {
      const int length = 1 + below(4), first = below(static_cast<std::uint64_t>(links));
      for (int i = 0; i < std::min(length, links); ++i)
        rows->push({LinkId{(first + i) % links}, 1.0 / (1 + below(3))});
      rows->end_row();
    }
    flows.volume.push_back(1 + below(9));
  }
  return flows;
}

/// Part of the cost that flows could save, by the definition.
double gap_of(const TwoRoutings& flows, const std::vector<double>& second) {
  std::vector<double> load(flows.capacity.size());
  for (std::size_t f = 0; f < second.size(); ++f) {
    for (const auto& [link, share] : flows.first.row(f))
      load[index(link)] += share * flows.volume[f] * (1 - second[f]);
    for (const auto& [link, share] : flows.second.row(f))
      load[index(link)] += share * flows.volume[f] * second[f];
  }
  double largest = 0;
  for (std::size_t l = 0; l < load.size(); ++l)
    largest = std::max(largest, load[l] / flows.capacity[l]);
  const auto cost = [&](const auto& row) {
    double sum = 0;
    for (const auto& [link, share] : row)
      sum += share * std::pow(load[index(link)] / flows.capacity[index(link)] / largest, 32);
    return sum;
  };
  double spent = 0, least = 0;
  for (std::size_t f = 0; f < second.size(); ++f) {
    const double first_cost = cost(flows.first.row(f)), second_cost = cost(flows.second.row(f));
    spent += flows.volume[f] * ((1 - second[f]) * first_cost + second[f] * second_cost);
    least += flows.volume[f] * std::min(first_cost, second_cost);
  }
  return (spent - least) / spent;
}

}  // namespace

TEST_CASE("A flow splits so that both of its routings cost the same, by hand") {
  // One link or two of the same bandwidth: u^32 = 2 w^32 with u + w = 1.
  TwoRoutings flows;
  flows.first.push({LinkId{0}, 1});
  flows.first.end_row();
  flows.second.push({LinkId{1}, 1});
  flows.second.push({LinkId{2}, 1});
  flows.second.end_row();
  flows.volume = {1};
  flows.capacity = {1, 1, 1};
  CHECK(balance_loads(flows).second[0] == Approx(1 / (1 + std::pow(2, 1.0 / 32))).margin(1e-3));
  // The second link of the detour carries nothing more at a tenth of the bandwidth: 10 w = u.
  flows.capacity[2] = 0.1;
  CHECK(balance_loads(flows).second[0] == Approx(1 / 11.0).margin(1e-3));
}

TEST_CASE("At the fixed point no flow has a much cheaper routing that it does not take") {
  // Oracle: loads, costs and what could be saved by the definition.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const TwoRoutings flows = random_routings(seed);
    const Balance balance = balance_loads(flows);
    CHECK(balance.steps < load_balance_steps);
    CHECK(gap_of(flows, balance.second) <= 1.001 * load_balance_gap);
    CHECK(gap_of(flows, balance.second) == Approx(balance.gap).margin(1e-9));
  }
}

TEST_CASE(
    "A dragonfly's traffic to the next group: minimal 1/(a p), Valiant and adaptive about 1/2") {
  // Minimal routes: all a p flows of a group over one cable. Valiant: each cable carries first legs
  // of one group and second legs to another, 2 a p / (g - 2) in all, near 2 (Kim et al., ISCA
  // 2008). Adaptive also has the direct cable: x a p = (1 - x) 2 a p / (g - 2), so 2 (g - 1) / g.
  const Dragonfly dragonfly{8, 4};
  const auto flows = to_next_group(dragonfly);
  const double minimal = loads_of(*dragonfly.under(Routing::ecmp), flows).largest;
  const double valiant = loads_of(*dragonfly.under(Routing::valiant), flows).largest;
  const double adaptive = loads_of(*dragonfly.under(Routing::adaptive), flows).largest;
  CHECK(minimal == Approx(dragonfly.group_size()));
  CHECK(valiant == Approx(2.0 * 32 / 31));
  CHECK(1 / valiant == Approx(0.5).epsilon(0.05));
  CHECK(1 / adaptive == Approx(0.5).epsilon(0.05));
  CHECK(adaptive == Approx(2.0 * 32 / 33).epsilon(0.03));  // 2^(1/32) and local links cost 3 %
}

TEST_CASE("Uniform traffic stays on shortest routes") {
  // Shortest routes spread it evenly over the cables: a detour takes two of them.
  const Dragonfly dragonfly{4, 2};
  std::vector<HostFlow> flows;
  for (int s = 0; s < dragonfly.hosts(); ++s)
    for (int d = 0; d < dragonfly.hosts(); ++d)
      if (s != d) flows.push_back({HostId{s}, HostId{d}, {1}});
  const Loads minimal = loads_of(*dragonfly.under(Routing::ecmp), flows);
  const Loads adaptive = loads_of(*dragonfly.under(Routing::adaptive), flows);
  CHECK(adaptive.largest == Approx(minimal.largest).epsilon(0.02));
  CHECK(adaptive.total == Approx(minimal.total).epsilon(0.02));
}

TEST_CASE("Shares of an adaptive routing are those of one traffic, each link once") {
  const Dragonfly dragonfly{2, 2};
  const auto network = dragonfly.under(Routing::adaptive);
  const auto flows = to_next_group(dragonfly);
  const auto routed = network->routed(flows);
  REQUIRE(routed);
  CHECK(network->routed(flows) == routed);  // kept
  CHECK(routed->routing() == Routing::adaptive);
  CHECK(routed->splits_flows());
  CHECK(routed->hops(HostId{0}, HostId{4}) ==
        dragonfly.under(Routing::ecmp)->hops(HostId{0}, HostId{4}));
  std::vector<LinkShare> shares;
  routed->append_shares(HostId{0}, HostId{4}, shares);
  double leaving = 0, entering = 0, hops = 0;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    for (std::size_t t = 0; t < s; ++t) CHECK(shares[t].link != shares[s].link);
    CHECK(shares[s].share > 0);
    CHECK(shares[s].share <= Approx(1));
    const LinkEnds ends = *routed->link_ends(shares[s].link);
    leaving += ends.from == 0 ? shares[s].share : 0;
    entering += ends.to == 4 ? shares[s].share : 0;
    hops += shares[s].share;
  }
  CHECK(leaving == Approx(1));
  CHECK(entering == Approx(1));
  CHECK(routed->mean_hops(HostId{0}, HostId{4}) == Approx(hops));
  // A pair without traffic has its shortest routes.
  std::vector<LinkShare> quiet, expected;
  routed->append_shares(HostId{0}, HostId{9}, quiet);
  dragonfly.under(Routing::ecmp)->append_shares(HostId{0}, HostId{9}, expected);
  REQUIRE(quiet.size() == expected.size());
  for (std::size_t s = 0; s < quiet.size(); ++s) CHECK(quiet[s].link == expected[s].link);
}

TEST_CASE("Pairs of hosts are joined, whatever the order of flows") {
  const std::vector<HostFlow> flows{{HostId{3}, HostId{1}, {5}},
                                    {HostId{0}, HostId{1}, {1}},
                                    {HostId{3}, HostId{1}, {2}},
                                    {HostId{2}, HostId{2}, {9}},
                                    {HostId{2}, HostId{1}, {0}}};
  const HostPairs pairs = joined_pairs(flows);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[0].volume.value == 1);
  CHECK(pairs[1].volume.value == 7);
  CHECK(find_pair(pairs, HostId{3}, HostId{1}) == 1u);
  CHECK_FALSE(find_pair(pairs, HostId{1}, HostId{3}));
}

TEST_CASE("A network without Valiant's routes has no adaptive routing, in a sentence") {
  CHECK_THROWS_WITH(make_network("fat-tree:2;4,4;1,2;1,1", {}, {Routing::adaptive}),
                    Catch::Matchers::StartsWith("routing adaptive needs routing valiant: "));
}

#include <catch2/catch.hpp>
#include <cmath>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/load_routing/load_balance.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const NetworkDefaults byte_links{.bandwidth = {1}, .latency = {0}};

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

TEST_CASE("On a fat tree without failures the adaptive way up is an even split") {
  // All hosts of a leaf send to the next leaf: 4 B over 2 links up, 2 B each; so does ecmp.
  const auto tree = make_network("fat-tree:2;4,4;1,2;1,1", byte_links, {Routing::adaptive});
  std::vector<HostFlow> flows;
  for (int h = 0; h < 16; ++h) flows.push_back({HostId{h}, HostId{(h + 4) % 16}, {1}});
  CHECK(loads_of(*tree, flows).largest == Approx(2));
  // D-mod-k sends two flows for hosts 4 and 6 up the same link; adaptive by half over each.
  const std::vector<HostFlow> two{{HostId{0}, HostId{4}, {1}}, {HostId{1}, HostId{6}, {1}}};
  CHECK(loads_of(*make_network("fat-tree:2;4,4;1,2;1,1", byte_links), two).largest == 2);
  CHECK(loads_of(*tree, two).largest == Approx(1));
}

TEST_CASE("On a fat tree with a failed link the adaptive way up goes round what others must take") {
  // Leaf 0 has lost its cable to top switch 1. Its host 0 sends 1 B to host 4 of leaf 1, over top 0
  // only; host 8 of leaf 2 sends 1 B to host 5 of leaf 1, over top 0 or 1. Both come down to leaf
  // 1: ecmp puts 1.5 B on the link from top 0, adaptive sends the second flow by way of top 1.
  const auto failed = [](Routing rule) {
    return make_traffic_routing(rule, [](Routing part) {
      return apply_edits(make_network("fat-tree:2;4,4;1,2;1,1", byte_links, {part}),
                         NetworkEdits{{"s1.0->s2.1", "s2.1->s1.0"}, {}, {}});
    });
  };
  const auto adaptive = failed(Routing::adaptive);
  const std::vector<HostFlow> flows{{HostId{0}, HostId{4}, {1}}, {HostId{8}, HostId{5}, {1}}};
  const auto routed = adaptive->routed(flows);
  // With x of it over top 0 the costs are (1 + x)^32 + x^32 and 2 (1 - x)^32: x = 0.0108.
  CHECK(loads_of(*adaptive, flows).largest == Approx(1.0108).margin(0.003));
  const auto load_down = [&](const Network& network) {
    std::vector<LinkShare> shares;
    for (const HostFlow& flow : flows) network.append_shares(flow.source, flow.destination, shares);
    double sum = 0;
    for (const auto& [link, share] : shares)
      if (network.link_name(link) == "s2.0->s1.1") sum += share;
    return sum;
  };
  CHECK(load_down(*adaptive) == Approx(1.5));
  CHECK(load_down(*routed) == Approx(1.0108).margin(0.003));
}

TEST_CASE("On networks of other models adaptive routing is about as good as its better choice") {
  // Hosts of a router all send to those of the next one. Four routers of a HyperX with 4 hosts, by
  // hand: minimal routes put 4 B on each of four links. With x on them, and the rest by way of one
  // of the two others, each link of those has (4 - x) / 2 as a first and as much as a second leg:
  // even at x = 2.
  const auto hyperx = make_network("hyperx:4,per_router=4", byte_links, {Routing::adaptive});
  std::vector<HostFlow> next;
  for (int h = 0; h < 16; ++h) next.push_back({HostId{h}, HostId{(h + 4) % 16}, {1}});
  CHECK(loads_of(*hyperx, next).largest == Approx(2).epsilon(0.03));
  for (const std::string spec :
       {"hyperx:4,per_router=4", "slim-fly:q=5", "dragonfly-plus:5;4,4;4"}) {
    CAPTURE(spec);
    const auto under = [&](Routing rule) { return make_network(spec, byte_links, {rule}); };
    const auto minimal = under(Routing::ecmp);
    const int hosts = minimal->num_hosts();
    std::vector<HostFlow> flows;
    for (int h = 0; h < hosts; ++h) flows.push_back({HostId{h}, HostId{(h + 4) % hosts}, {1}});
    const double adaptive = loads_of(*under(Routing::adaptive), flows).largest;
    // The fixed point has the least 33-norm of the loads, of all mixtures of both: no largest load
    // is more than the number of links to the power of 1/33 above another one.
    const double norm = 1.001 * std::pow(minimal->num_links(), 1.0 / (load_balance_steepness + 1));
    CHECK(adaptive <= norm * loads_of(*minimal, flows).largest);
    CHECK(adaptive <= norm * loads_of(*under(Routing::valiant), flows).largest);
  }
}

TEST_CASE("Balanced paths end where no flow has a much cheaper one, for random links") {
  // Oracle: costs and the cheapest of all simple routes by the definition. Flows choose one of
  // several links at each of some stages, so that the cheapest route is the cheapest link of each.
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto below = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
    constexpr int stages = 3, width = 5;
    FlowsToBalance flows;
    for (int l = 0; l < stages * width; ++l) flows.capacity.push_back(1 + below(4));
    std::vector<std::vector<LinkId>> choices;  // of each flow and stage
    const int count = 2 + below(10);
    for (int f = 0; f < count; ++f) {
      for (int stage = 0; stage < stages; ++stage) {
        std::vector<LinkId> some;
        const int first = below(width), links = 1 + below(width);
        for (int i = 0; i < links; ++i) some.push_back(LinkId{stage * width + (first + i) % width});
        for (const LinkId link : some) flows.start.push({link, 1.0 / links});
        choices.push_back(some);
      }
      flows.start.end_row();
      flows.volume.push_back(1 + below(9));
    }
    const auto cheapest = [&](std::size_t f, const std::vector<double>& costs,
                              std::vector<LinkId>& route) {
      for (std::size_t stage = 0; stage < stages; ++stage) {
        const auto& some = choices[f * stages + stage];
        route.push_back(*std::min_element(some.begin(), some.end(), [&](LinkId a, LinkId b) {
          return costs[index(a)] < costs[index(b)];
        }));
      }
    };
    const PathBalance balance = balance_paths(flows, cheapest);
    CHECK(balance.rounds < path_balance_rounds);
    std::vector<double> load(flows.capacity.size());
    for (std::size_t f = 0; f < flows.volume.size(); ++f) {
      double whole = 0;
      for (const auto& [link, share] : balance.shares.row(f)) {
        load[index(link)] += share * flows.volume[f];
        whole += share;
      }
      CHECK(whole == Approx(stages));
    }
    const auto costs = link_costs(flows.capacity, load);
    double spent = 0, least = 0;
    for (std::size_t f = 0; f < flows.volume.size(); ++f) {
      for (const auto& [link, share] : balance.shares.row(f))
        spent += flows.volume[f] * share * costs[index(link)];
      std::vector<LinkId> route;
      cheapest(f, costs, route);
      for (const LinkId link : route) least += flows.volume[f] * costs[index(link)];
    }
    CHECK((spent - least) / spent <= 1.001 * load_balance_gap);
  }
}

TEST_CASE("Pairs of hosts at the same routers take the same links but for those of the hosts") {
  // Adaptive routing balances such pairs as one flow.
  const std::string spec =
      GENERATE(as<std::string>(), "dragonfly:9,4;6,3;16,1;4",
               "dragonfly:9,1;4,1;4,1;2,pair_links=2,arrangement=relative",
               "dragonfly:9,4;6,3;16,1;4,injection=25GBps", "dragonfly-plus:5;4,4;4",
               "slim-fly:q=5,per_router=3", "hyperx:4x4,per_router=4");
  CAPTURE(spec);
  for (const Routing rule : {Routing::ecmp, Routing::valiant, Routing::adaptive}) {
    const auto plain = make_network(spec, {}, {rule});
    const int last = plain->num_hosts() - 2;
    const std::vector<HostFlow> flows{{HostId{0}, HostId{last}, {3}},
                                      {HostId{1}, HostId{last + 1}, {5}}};
    const auto routed = plain->routed(flows);
    const Network& network = routed ? *routed : *plain;
    std::vector<std::pair<LinkId, double>> links[2], different;
    for (std::size_t f = 0; f < 2; ++f) {
      std::vector<LinkShare> shares;
      network.append_shares(flows[f].source, flows[f].destination, shares);
      for (const auto& [link, share] : shares) links[f].emplace_back(link, share);
      std::sort(links[f].begin(), links[f].end());
    }
    REQUIRE(links[0].size() == links[1].size());
    std::set_symmetric_difference(links[0].begin(), links[0].end(), links[1].begin(),
                                  links[1].end(), std::back_inserter(different));
    CHECK(different.size() >= 4);
    for (const auto& [link, share] : different) {
      CHECK(share == 1);
      CHECK(network.link_ends(link).has_value());
    }
    CHECK(different.size() <= 8);
  }
}

TEST_CASE("A platform file has adaptive routing over its shortest paths") {
  // The same tree as explicit links: host 0 and host 1 each send 1 B to the next leaf.
  const auto tree = make_network("fat-tree:2;4,4;1,2;1,1", byte_links);
  PlatformSource source;
  source.network = "fat-tree:2;4,4;1,2;1,1";
  source.bandwidth = "1";
  source.latency = "0";
  const tests::TemporaryFile written("tree.xml",
                                     generate_platform(*tree, source, PlatformForm::zones).xml);
  const std::string& file = written.path();
  const auto adaptive = make_traffic_routing(Routing::adaptive, [&](Routing rule) {
    PlatformOptions options;
    options.routing = rule;
    return load_platform(file, options);
  });
  PlatformOptions split;
  split.routing = Routing::split;
  const std::vector<HostFlow> two{{HostId{0}, HostId{4}, {1}}, {HostId{1}, HostId{6}, {1}}};
  CHECK(loads_of(*adaptive, two).largest == Approx(1));
  CHECK_THROWS_WITH(load_platform(file, split), Catch::Contains("accepted: simgrid, ecmp"));
}

namespace {

std::shared_ptr<const Network> adaptive_without(const std::string& link) {
  return make_traffic_routing(Routing::adaptive, [&](Routing part) {
    return apply_edits(make_network("dragonfly:3,1;1,1;3,1;1", byte_links, {part}),
                       NetworkEdits{{link}, {}, {}});
  });
}

}  // namespace

TEST_CASE("A failed link that does not exist is the reported error, not the routing") {
  CHECK_THROWS_WITH(adaptive_without("nowhere"),
                    Catch::StartsWith("link \"nowhere\": no link of the network has"));
}

TEST_CASE("Failed links leave a dragonfly without Valiant's routes: adaptive says so") {
  CHECK_THROWS_WITH(adaptive_without("random:1:seed=1"),
                    Catch::StartsWith("routing adaptive needs routing valiant: "));
}

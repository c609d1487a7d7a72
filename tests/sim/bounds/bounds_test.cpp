#include "sim/evaluation/bounds.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/bounds/bounds_brute_force.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/sim/split_ring.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("No embedding on a torus or mesh is below the bounds") {
  const auto network = GENERATE(
      make_torus({{{6}}, {{10}, {}}}), make_torus({{{5, false}}, {{10}, {}}}),
      make_torus({{{3}, {2}}, {{10}, {}}}), make_torus({{{2, false}, {3, false}}, {{10}, {}}}),
      make_torus({{{2}, {2}, {2}}, {{10}, {}}}), make_torus({{{1}, {4}}, {{10}, {}}}));
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{9}));
  const int ranks = 2 + static_cast<int>(seed % 3);
  check_bounds(drawn_graph(ranks, 3 * ranks, seed), *network, tests::all_hosts(*network, 1));
  check_bounds(drawn_graph(ranks + 1, 2 * ranks, seed + 50), *network,
               tests::all_hosts(*network, 2));
}

TEST_CASE("No embedding of six ranks is below the bounds") {
  const auto mesh = make_torus({{{3, false}, {2, false}}, {{10}, {}}});
  const auto pairs = make_torus({{{3}}, {{10}, {}}});
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    const auto guest = drawn_graph(6, 12, seed);
    check_bounds(guest, *mesh, tests::all_hosts(*mesh, 1));
    check_bounds(guest, *pairs, tests::all_hosts(*pairs, 2));
    check_bounds(guest, *pairs, {{HostId{2}, HostId{0}, HostId{1}}, {1, 4, 2}});
  }
  check_bounds(unit_grid({6}), *mesh, tests::all_hosts(*mesh, 1));
  check_bounds(unit_grid({3, 2}, Periodicity::periodic), *mesh, tests::all_hosts(*mesh, 1));
}

TEST_CASE("The bounds hold on a part of the machine") {
  const auto mesh = make_torus({{{4, false}, {3, false}}, {{10}, {}}});
  const Allocation part{{HostId{0}, HostId{3}, HostId{5}, HostId{11}}, {1, 2, 1, 1}};
  for (std::uint64_t seed = 1; seed < 20; ++seed)
    check_bounds(drawn_graph(4, 9, seed), *mesh, part);
}

TEST_CASE("The bounds hold where hops differ by direction, with limiters and fatpipes") {
  const LinkProperties fatpipe{{10}, {0}, LinkSharing::fatpipe};
  const LinkProperties slow{{2}, {0}};
  const LinkProperties slow_fatpipe{{2}, {0}, LinkSharing::fatpipe};
  const RingNetwork plain(5, link_of_10, slow);
  const RingNetwork shared(5, link_of_10, slow_fatpipe);
  const RingNetwork fat(5, fatpipe, slow);
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{13}));
  const auto guest = drawn_graph(4, 10, seed);
  for (const RingNetwork* ring : {&plain, &shared, &fat}) {
    check_bounds(guest, *ring, tests::all_hosts(*ring, 1));
    check_bounds(guest, *ring, tests::all_hosts(*ring, 2));
  }
}

TEST_CASE("The bounds hold where flows split, over shortest routes or longer ones") {
  const auto splitting = GENERATE(Splitting::at_half, Splitting::both_ways, Splitting::valiant);
  const auto sharing = GENERATE(LinkSharing::shared, LinkSharing::fatpipe);
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{9}));
  const SplitRing even(6, splitting, {{10}, {0}, sharing});
  const SplitRing odd(5, splitting, {{10}, {0}, sharing});
  const auto guest = drawn_graph(4, 10, seed);
  for (const SplitRing* ring : {&even, &odd}) {
    check_bounds(guest, *ring, tests::all_hosts(*ring, 1));
    check_bounds(guest, *ring, tests::all_hosts(*ring, 2));
    check_bounds(guest, *ring, {{HostId{0}, HostId{2}, HostId{3}}, {2, 1, 2}});
  }
}

// Up, two cables between groups and down again are 4 hops; the own route, with one cable, has up to
// two more in each of its groups.
TEST_CASE(
    "The bounds hold where a flow by way of another group has fewer hops than its own route") {
  constexpr const char* spec = "dragonfly:5,2;2,1;2,1;2";
  const auto rule = GENERATE(Routing::valiant, Routing::ideal);
  const auto load = [&](Routing one) { return make_network(spec, {}, {one}); };
  const auto network = rule == Routing::ideal ? make_traffic_routing(rule, load) : load(rule);
  const auto own = load(Routing::simgrid);
  Random random(5);
  int undercut = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    std::vector<HostId> hosts = tests::all_hosts(*network, 1).hosts;
    shuffle(std::span(hosts), random);
    hosts.resize(4);
    const Allocation part{hosts, {1, 1, 1, 1}};
    const auto guest = drawn_graph(4, 8, seed);
    check_bounds(guest, *network, part);
    const auto least = BruteForce(guest, *network, part).least().hop_bytes;
    undercut += least < lower_bounds(guest, *own, part).hop_bytes ? 1 : 0;
  }
  CHECK((undercut > 0 || rule == Routing::valiant));  // where means are seldom so short
}

TEST_CASE("The congestion bound is reached where two routes share a flow, by hand") {
  // 20 B each way between both hosts of a ring of 2, over both cables: 10 B on each of 4 links. The
  // bound: 40 B leave ranks and hosts over 40 B/s in sum.
  const SplitRing ring(2, Splitting::at_half);
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, {20}}, {Rank{1}, Rank{0}, {20}}};
  const CommGraph guest(2, edges);
  CHECK(lower_bounds(guest, ring, tests::all_hosts(ring, 1)).congestion.value == Approx(1));
  CHECK(BruteForce(guest, ring, tests::all_hosts(ring, 1)).least().congestion.value == Approx(1));
}

TEST_CASE("The bounds ask nothing about hosts that are down") {
  const SplitRing ring(5, Splitting::at_half, {{10}, {0}}, HostId{2});
  const Allocation up{{HostId{0}, HostId{1}, HostId{3}, HostId{4}}, {1, 1, 1, 1}};
  for (std::uint64_t seed = 1; seed < 9; ++seed) check_bounds(drawn_graph(4, 10, seed), ring, up);
  CHECK(lower_bounds(unit_grid({4}), ring, up).hop_bytes.value > 0);
}

TEST_CASE("The hop-bytes bound is reached where every partner can be next door") {
  // Identity: 2 * 2 * 16 directed edges of one hop each.
  const auto torus = make_torus({{{4}, {4}}, {}});
  const auto guest = unit_grid({4, 4}, Periodicity::periodic);
  CHECK(lower_bounds(guest, *torus, tests::all_hosts(*torus, 1)).hop_bytes.value == 64);
}

TEST_CASE("Bounds of a star, by hand") {
  // Rank 0 sends 8, 6, 4 and 2 B to ranks 1..4. On a ring of 5 with links of 10 B/s the other slots
  // are at 1, 1, 2, 2 hops. Rank 0 sees 8+6+2*4+2*2 = 26, the others 8+6+4+2 = 20: half is 23 by
  // the nearest slots. All volumes are those of rank 0, so with the shares of the others it
  // proves 26. All ten links together carry 100 B/s: 0.26 s. 20 B leave rank 0 over 20 B/s: 1 s.
  const auto ring = make_torus({{{5}}, {{10}, {}}});
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, {8}},  {Rank{0}, Rank{2}, {5}},
                                        {Rank{0}, Rank{2}, {1}},  {Rank{0}, Rank{3}, {4}},
                                        {Rank{0}, Rank{0}, {99}}, {Rank{0}, Rank{4}, {2}}};
  const CommGraph star(5, edges);
  const auto one = lower_bounds(star, *ring, tests::all_hosts(*ring, 1));
  CHECK(one.hop_bytes.value == 26);
  CHECK(one.hop_bytes_kind == "stars");
  CHECK(one.congestion.value == Approx(1.0));
  // Two slots: one partner shares the host of rank 0, and 6+4+2 = 12 B leave it, however the others
  // are parted, one hop at least. 12 B leave rank 0 over 20 B/s.
  const auto two = lower_bounds(star, *ring, tests::all_hosts(*ring, 2));
  CHECK(two.hop_bytes.value == 12);
  CHECK(two.congestion.value == Approx(0.6));
}

TEST_CASE("A flow that cannot split takes some link with all of its volume, by hand") {
  // 20 B from rank 0 to rank 1 on a ring of 5 with links of 10 B/s: 2 s on the link next to it, of
  // two that leave the host. With two slots both ranks share a host.
  const auto ring = make_torus({{{5}}, {{10}, {}}});
  const CommGraph pair(2, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, {20}}});
  const auto one = lower_bounds(pair, *ring, tests::all_hosts(*ring, 1));
  CHECK(one.congestion.value == Approx(2.0));
  CHECK(one.congestion_kind == "one flow");
  CHECK(lower_bounds(pair, *ring, tests::all_hosts(*ring, 2)).congestion.value == 0);
  // Rank 1 sends 8 B and 12 B on: of its three flows the two heaviest may stay inside a host of
  // three slots, and 8 B leave.
  const CommGraph star(
      4, std::vector<DirectedEdge>{
             {Rank{0}, Rank{1}, {20}}, {Rank{1}, Rank{2}, {8}}, {Rank{1}, Rank{3}, {12}}});
  CHECK(lower_bounds(star, *ring, tests::all_hosts(*ring, 3)).congestion.value == Approx(0.8));
}

TEST_CASE("Only links that count as hops carry the hop-bytes bound") {
  // All to all, 10 B each, on a one-way ring of 4: the other slots are at 1, 1 and 2 hops by their
  // cheaper direction, so hop-bytes are at least 4 ranks * 20 B * 4 hops / 2 = 160. The ring has
  // 40 B/s: 4 s. Leaving a host takes 30 B over 10 B/s.
  const RingNetwork ring(4, link_of_10, {{1000}, {0}});
  std::vector<DirectedEdge> edges;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      if (a != b) edges.push_back({Rank{a}, Rank{b}, {10}});
  const auto bounds = lower_bounds(CommGraph(4, edges), ring, tests::all_hosts(ring, 1));
  CHECK(bounds.hop_bytes.value == 160);
  CHECK(bounds.congestion.value == Approx(4.0));
}

TEST_CASE("Infinite bandwidth, a single host and fatpipes bound no congestion") {
  const BytesPerSecond infinite{std::numeric_limits<double>::infinity()};
  const RingNetwork fast(4, {infinite, {0}}, {infinite, {0}});
  CHECK(lower_bounds(unit_grid({4}), fast, tests::all_hosts(fast, 1)).congestion.value == 0);
  const auto alone = make_torus({{{1}}, {}});
  const auto inside = lower_bounds(unit_grid({4}), *alone, tests::all_hosts(*alone, 4));
  CHECK(inside.hop_bytes.value == 0);
  CHECK(inside.congestion.value == 0);
  const RingNetwork fat(4, {{10}, {0}, LinkSharing::fatpipe}, {infinite, {0}});
  CHECK(lower_bounds(unit_grid({4}), fat, tests::all_hosts(fat, 1)).congestion.value == 0);
  CHECK(lower_bounds(unit_grid({4}), fat, tests::all_hosts(fat, 1)).hop_bytes.value > 0);
}

TEST_CASE("A machine too large for all distances counts other hosts as one hop away") {
  // 5000 ranks of a chain, 2 * 4999 directed edges; with two slots the half rounds to one of two
  // partners inside: inner ranks send 1 of 2 partners out.
  const auto ring = make_torus({{{5000}}, {}});
  const auto chain = unit_grid({5000});
  CHECK(lower_bounds(chain, *ring, tests::all_hosts(*ring, 1)).hop_bytes.value == 9998);
  CHECK(lower_bounds(chain, *ring, tests::all_hosts(*ring, 2)).hop_bytes.value == 4998);
}

TEST_CASE("There is no bound where there is no embedding") {
  const auto ring = make_torus({{{4}}, {}});
  CHECK_THROWS_AS(lower_bounds(unit_grid({5}), *ring, tests::all_hosts(*ring, 1)), FitError);
}

TEST_CASE("Hosts without a route between them do not forbid bounds") {
  const auto network = apply_edits(make_torus({{{4}}, {{10}, {}}}), NetworkEdits{{"*->3"}, {}, {}});
  REQUIRE_THROWS_AS(network->hops(HostId{0}, HostId{3}), InputError);
  const auto bounds = lower_bounds(unit_grid({2}), *network, tests::all_hosts(*network, 1));
  CHECK(bounds.hop_bytes.value == 2);     // each way one byte over one hop at least
  CHECK(bounds.congestion.value == 0.1);  // a whole byte on some link of 10 bytes per second
}

TEST_CASE("The floor of the mean congestion is the time of the smallest message on its own") {
  // By hand: 2 B and 6 B on links of 10 B/s and 5 B/s; a flow that is split may use less.
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, {2}}, {Rank{1}, Rank{2}, {6}}};
  const CommGraph guest(3, edges);
  const auto floor_on = [&](const Network& network) {
    const auto all = make_allocation(network, "all", std::vector{1}, 1);
    return find_measure("mean-congestion")
        ->floor({.guest = guest, .network = network, .allocation = all},
                lower_bounds(guest, network, all));
  };
  CHECK(floor_on(RingNetwork(3, {{10}, {0}}, {{5}, {0}})) == 0.2);
  CHECK(floor_on(*make_torus({{{4}}, {{10}, {0}}, {Routing::split}})) == 0);
}

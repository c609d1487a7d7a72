#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/bounds/assignment.hpp"
#include "sim/bounds/guest_cuts.hpp"
#include "sim/bounds/hop_bounds.hpp"
#include "sim/bounds/host_profiles.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "sim/bounds/spectrum.hpp"
#include "tests/netmodels/changed_network.hpp"
#include "tests/netmodels/platform/platform_samples.hpp"
#include "tests/sim/bounds/bounds_brute_force.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/qaplib.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::shared_ptr<const Network> network_of(const std::string& spec, RoutingOptions routing) {
  NetworkDefaults defaults;
  defaults.bandwidth = {10};
  return make_network(spec, defaults, routing);
}
std::shared_ptr<const Network> network_of(const std::string& spec, Routing rule) {
  return network_of(spec, RoutingOptions{rule});
}

/// Volume, both ways, between a set of ranks (bits) and the others.
double cut_of(const Partners& partners, unsigned set) {
  double sum = 0;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r}))
      if ((set >> r & 1U) != 0 && (set >> number(partner.rank) & 1U) == 0)
        sum += partner.both().value;
  return sum;
}

/// Entry k: the least volume between k ranks and the others, set by set.
std::vector<double> least_cuts(const Partners& partners) {
  const int ranks = partners.num_ranks();
  std::vector<double> least(static_cast<std::size_t>(ranks) + 1,
                            std::numeric_limits<double>::infinity());
  for (unsigned set = 0; set < 1U << ranks; ++set) {
    double& entry = least[static_cast<std::size_t>(std::popcount(set))];
    entry = std::min(entry, cut_of(partners, set));
  }
  return least;
}

void check_guest_cuts(const CommGraph& guest) {
  const Partners partners(guest);
  const RankTypes types = rank_types(partners);
  GuestCuts cuts(partners, types, false);
  const auto least = least_cuts(partners);
  for (int k = 0; k <= guest.num_ranks(); ++k)
    CHECK(cuts.least(k) <= least[static_cast<std::size_t>(k)] * (1 + 1e-12));
  if (guest.num_ranks() > SmallGuestCuts::max_ranks) return;
  GuestCuts exact(partners, types);
  for (int k = 1; k < guest.num_ranks(); ++k)
    CHECK(exact.least(k) == Approx(least[static_cast<std::size_t>(k)]));
}

/// A grid with one volume per dimension, every dimension periodic or open as given.
CommGraph mixed_grid(const std::vector<int>& sizes, unsigned periodic) {
  std::vector<Dimension> dimensions;
  std::vector<Bytes> volumes;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const bool wraps = (periodic >> d & 1U) != 0;
    dimensions.push_back({sizes[d], wraps ? Periodicity::periodic : Periodicity::open});
    volumes.push_back(Bytes{static_cast<double>(1 + (d * 7 + sizes.size()) % 4)});
  }
  return make_comm_graph(Cartesian(dimensions), volumes);
}

void check_all_allocations(const CommGraph& guest, const Network& network) {
  const int hosts = network.num_hosts(), ranks = guest.num_ranks();
  if (ranks <= hosts) check_bounds(guest, network, tests::all_hosts(network, 1));
  if (hosts <= 5)
    check_bounds(guest, network, tests::all_hosts(network, (ranks + hosts - 1) / hosts));
  if (hosts <= 4) check_bounds(guest, network, tests::all_hosts(network, 3));
  Allocation part;
  for (int h = 0, slots = 0; h < hosts && slots < ranks + 1; h += h % 3 == 1 ? 2 : 1) {
    part.hosts.push_back(HostId{h});
    part.slots.push_back(1 + h % 3);
    slots += part.slots.back();
  }
  if (part.num_slots() >= ranks && part.num_hosts() <= 5) check_bounds(guest, network, part);
}

void check_guests(const Network& network) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const int ranks = 2 + static_cast<int>(seed % 4);
    check_all_allocations(drawn_graph(ranks, 3 * ranks, seed), network);
  }
  check_all_allocations(unit_grid({2, 3}), network);
  check_all_allocations(unit_grid({5}, Periodicity::periodic), network);
  check_all_allocations(unit_grid({2, 2}), network);
}

}  // namespace

TEST_CASE("No embedding on a torus or mesh is below its cuts, whatever the routing") {
  const auto rule = GENERATE(Routing::automatic, Routing::simgrid, Routing::positive,
                             Routing::split, Routing::ecmp, Routing::valiant);
  const std::string spec =
      GENERATE("torus:6", "torus:5", "torus:4x2", "torus:2x2x2", "torus:3x2m", "mesh:3x2",
               "torus:7", "torus:1x4", "mesh:2x1x3", "torus:3,per_router=2");
  check_guests(*network_of(spec, rule));
}

TEST_CASE("No embedding on a fat tree is below its cuts") {
  const auto rule = GENERATE(Routing::simgrid, Routing::ecmp);
  const std::string spec =
      GENERATE("fat-tree:1;4;1;1", "fat-tree:2;2,2;1,2;1,1", "fat-tree:2;3,2;1,1;1,1",
               "fat-tree:3;2,2,2;1,1,2;1,1,1", "fat-tree:2;2,3;2,1;1,2");
  check_guests(*network_of(spec, rule));
}

TEST_CASE("No embedding on a dragonfly is below its cuts") {
  const auto rule = GENERATE(Routing::simgrid, Routing::ecmp, Routing::valiant);
  const std::string spec = GENERATE("dragonfly:2,1;1,1;2,1;2", "dragonfly:2,1;2,1;2,1;1",
                                    "dragonfly:3,1;1,1;2,1;1", "dragonfly:4,2;1,1;1,1;2");
  check_guests(*network_of(spec, rule));
}

TEST_CASE("No embedding on a platform file is below the cuts found in its links") {
  const std::string sample =
      GENERATE("full", "floyd", "dijkstra", "cluster", "cluster-shared", "bypass", "vivaldi");
  const auto network = load_platform(tests::platform_sample(sample), {});
  INFO(sample);
  if (network->num_hosts() < 5) check_guests(*network);
  CHECK(network->cuts().empty() == (sample == "bypass" || sample == "vivaldi"));
}

TEST_CASE("No embedding on a tree or ring in a file is below the cuts found in its links") {
  const std::string sharing = GENERATE("SHARED", "SPLITDUPLEX");
  const bool split = sharing == "SPLITDUPLEX";
  const auto link = [&](const std::string& id, int bandwidth) {
    return "<link id=\"" + id + "\" bandwidth=\"" + std::to_string(bandwidth) +
           "Bps\" latency=\"0\" sharing_policy=\"" + sharing + "\"/>\n";
  };
  const auto route = [&](const std::string& from, const std::string& to, const std::string& id) {
    return "<route src=\"" + from + "\" dst=\"" + to + "\"><link_ctn id=\"" + id + "\"" +
           (split ? " direction=\"UP\"" : "") + "/></route>\n";
  };
  std::string hosts, links, routes;
  for (int h = 0; h < 4; ++h) {
    const std::string name = "h" + std::to_string(h);
    hosts += "<host id=\"" + name + "\" speed=\"1Gf\"/>\n";
    links += link("l" + std::to_string(h), 10);
    routes += route(name, h < 2 ? "s" : "t", "l" + std::to_string(h));
  }
  const std::string tree = "<router id=\"s\"/>\n<router id=\"t\"/>\n" + links + link("up", 3) +
                           routes + route("s", "t", "up");
  std::string ring = links;
  for (int h = 0; h < 4; ++h)
    ring +=
        route("h" + std::to_string(h), "h" + std::to_string((h + 1) % 4), "l" + std::to_string(h));
  for (const auto& [name, body] : {std::pair("tree", tree), std::pair("ring", ring)}) {
    INFO(name << " " << sharing);
    const auto network = load_platform(
        tests::write_file("cuts-" + std::string(name) + ".xml",
                          "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                          "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                          "<zone id=\"z\" routing=\"Floyd\">\n" +
                              hosts + body + "</zone>\n</platform>\n"),
        {});
    // Also where links carry both ways, of which no bisection is searched: halves of the ring.
    CHECK_FALSE(network->cuts().empty());
    check_guests(*network);
  }
}

TEST_CASE("The cuts hold where links failed or are slower") {
  // Around a failed link of a dragonfly a flow may have fewer hops than by its minimal route.
  const auto [spec, link] =
      GENERATE(std::pair{"torus:4x2", "d0+:0->1"}, std::pair{"mesh:2x3", "d1+:0->2"},
               std::pair{"torus:2x2,per_router=2", "d0+:r0->r1"},
               std::pair{"fat-tree:2;2,2;1,2;1,1", "s1.0->s2.0"},
               std::pair{"dragonfly:3,1;1,1;3,1;1", "r0.0.1->r1.0.0"},
               std::pair{"dragonfly:3,1;2,1;1,1;1", "r0.0.0->r0.1.0"});
  const auto network = network_of(spec, Routing::simgrid);
  check_guests(*apply_edits(network, NetworkEdits{{link}, {}, {}}));
  check_guests(*apply_edits(network, NetworkEdits{{}, {}, {{"*0*", 0.5}}}));
}

// The oracle goes through all links and asks of each whether one of its ends is inside.
TEST_CASE("A cut has the slots of its hosts and the bandwidth of the links that leave them") {
  const std::string spec = GENERATE("torus:6", "torus:5x2", "torus:4x3x2", "mesh:3x4", "torus:1x4",
                                    "torus:3x2,per_router=2", "torus:4x3,bandwidth=2/3",
                                    "fat-tree:1;4;1;1", "fat-tree:3;2,3,2;1,2,2;1,1,2",
                                    "fat-tree:2;4,4;1,2;1,2,taper=2", "dragonfly:3,1;2,1;3,1;2",
                                    "dragonfly:4,2;2,1;2,1;1,arrangement=absolute,pair_links=2");
  const auto whole = network_of(spec, Routing::simgrid);
  std::vector<std::string> failed;
  for (int l = 0; l < whole->num_links(); l += 7) failed.push_back(whole->link_name(LinkId{l}));
  const auto without = apply_edits(whole, NetworkEdits{failed, {}, {{"*1*", 0.5}}});
  for (const auto& network : {whole, without}) {
    UsedLinks all;
    for (int l = 0; l < network->num_links(); ++l)
      all.used.push_back(network->link_is_up(LinkId{l}));
    Allocation allocation = tests::all_hosts(*network, 2);
    allocation.hosts.pop_back();
    allocation.slots.pop_back();
    allocation.slots.front() = 5;
    const auto cuts = network_cuts(*network, allocation, all);
    const auto cells = network->cuts();
    REQUIRE(cuts.size() == cells.size());
    for (std::size_t f = 0; f < cuts.size(); ++f) {
      const int half = cells[f].count / 2;
      for (std::size_t c = 0; c < cuts[f].cuts.size(); ++c) {
        const int first = static_cast<int>(c), other = (first + half) % cells[f].count;
        const auto is_inside = [&](int vertex) {
          const int cell = cells[f].of(vertex);
          if (cells[f].joined == AxisKind::complete) return cell == first;
          if (cells[f].joined == AxisKind::path) return cell <= first;
          return cell > std::min(first, other) && cell <= std::max(first, other);
        };
        NetworkCut expected;
        BytesPerSecond out, in;
        for (std::size_t place = 0; place < allocation.hosts.size(); ++place)
          if (is_inside(number(allocation.hosts[place]))) expected.slots += allocation.slots[place];
        for (int l = 0; l < network->num_links(); ++l) {
          const auto ends = *network->link_ends(LinkId{l});
          if (!network->link_is_up(LinkId{l}) || is_inside(ends.from) == is_inside(ends.to))
            continue;
          expected.capacity += network->link(LinkId{l}).bandwidth;
          (is_inside(ends.from) ? out : in) += network->link(LinkId{l}).bandwidth;
        }
        CHECK(cuts[f].cuts[c].one_way.value == Approx(std::max(out, in).value));
        CHECK(cuts[f].cuts[c].slots == expected.slots);
        CHECK(cuts[f].cuts[c].capacity.value == Approx(expected.capacity.value));
      }
    }
  }
}

TEST_CASE("No set of ranks of a grid sends less than its isoperimetric bound") {
  const unsigned periodic = GENERATE(0U, 1U, 2U, 7U);
  check_guest_cuts(mixed_grid({3, 5}, periodic));
  check_guest_cuts(mixed_grid({4, 4}, periodic));
  check_guest_cuts(mixed_grid({2, 7}, periodic));
  check_guest_cuts(mixed_grid({2, 2, 3}, periodic));
  check_guest_cuts(mixed_grid({3, 2, 2}, periodic));
  check_guest_cuts(mixed_grid({13}, periodic));
  check_guest_cuts(unit_grid({4, 4}, periodic == 0 ? Periodicity::open : Periodicity::periodic));
  check_guest_cuts(unit_grid({2, 2, 2, 2}));
}

// Rings of four are left out: the search sees two dimensions of two in them, which gives other
// bounds.
TEST_CASE("Cuts of a grid do not depend on the order of its ranks") {
  const unsigned periodic = GENERATE(0U, 1U, 3U);
  for (const std::vector<int>& sizes : {std::vector{3, 5}, {2, 7}, {2, 2, 3}, {5, 3, 7}}) {
    const CommGraph grid = mixed_grid(sizes, periodic);
    const CommGraph moved = shuffled(grid, 3);
    if (grid.num_ranks() <= 16) check_guest_cuts(moved);
    const Partners partners(grid), moved_partners(moved);
    const RankTypes types = rank_types(partners), moved_types = rank_types(moved_partners);
    GuestCuts cuts(partners, types), moved_cuts(moved_partners, moved_types);
    for (int k = 0; k <= grid.num_ranks(); ++k) CHECK(moved_cuts.least(k) == cuts.least(k));
  }
}

TEST_CASE("No set of ranks of a drawn guest sends less than is certain") {
  for (std::uint64_t seed = 1; seed < 30; ++seed)
    check_guest_cuts(drawn_graph(3 + static_cast<int>(seed % 8), 30, seed));
}

TEST_CASE("Bounds on halves of grids that are known to be tight") {
  // Bollobas and Leader: the middle plane of an 8x8x8 grid has 64 edges, of a torus 128; Harper:
  // half a hypercube of 2^d has 2^(d-1). Volumes count both ways.
  const auto half = [](const CommGraph& guest) {
    const Partners partners(guest);
    const RankTypes types = rank_types(partners);
    return GuestCuts(partners, types).least(guest.num_ranks() / 2);
  };
  CHECK(half(unit_grid({8, 8, 8})) == 2 * 64);
  CHECK(half(unit_grid({8, 8, 8}, Periodicity::periodic)) == 2 * 128);
  CHECK(half(unit_grid({2, 2, 2, 2, 2, 2})) == 2 * 32);
}

TEST_CASE("The connectivity is certain and close to closed forms") {
  // Path of n: 2 - 2 cos(pi / n); complete graph: n; two parts: 0. Volumes count both ways.
  CHECK(least_connectivity(Partners(unit_grid({50}))) <=
        2 * (2 - 2 * std::cos(std::numbers::pi / 50)));
  CHECK(least_connectivity(Partners(unit_grid({50}))) >=
        1.99 * (2 - 2 * std::cos(std::numbers::pi / 50)));
  std::vector<DirectedEdge> edges;
  for (int a = 0; a < 7; ++a)
    for (int b = 0; b < 7; ++b) edges.push_back({Rank{a}, Rank{b}, {1}});
  CHECK(least_connectivity(Partners(CommGraph(7, edges))) <= 14);
  CHECK(least_connectivity(Partners(CommGraph(7, edges))) >= 13.9);
  CHECK(least_connectivity(Partners(CommGraph(8, edges))) == 0);
}

TEST_CASE("The least assignment is that of all permutations") {
  Random random(7);
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<std::vector<double>> costs(4, std::vector<double>(6));
    for (auto& row : costs)
      for (double& cost : row) cost = static_cast<double>(random.below(20));
    std::vector<std::size_t> column(6);
    std::iota(column.begin(), column.end(), 0);
    double least = 1e9;
    do {
      double sum = 0;
      for (std::size_t row = 0; row < 4; ++row) sum += costs[row][column[row]];
      least = std::min(least, sum);
    } while (std::next_permutation(column.begin(), column.end()));
    CHECK(least_assignment(costs) == least);
  }
}

TEST_CASE("Distances by shape are no farther than those of any host") {
  const std::string spec = GENERATE("torus:6x4", "mesh:5x3", "torus:4x3m", "torus:3x2,per_router=2",
                                    "fat-tree:2;3,4;1,2;1,1", "dragonfly:4,1;2,1;3,1;2");
  const auto network = network_of(spec, Routing::simgrid);
  for (const int slots : {1, 2}) {
    const auto count = static_cast<std::size_t>(network->num_hosts() * slots - 1);
    const HostProfile nearest = nearest_by_shape(*network, slots, count);
    REQUIRE(nearest.size() == count);
    const auto asked = host_profiles(*network, tests::all_hosts(*network, slots), count, true, {});
    for (const HostProfile& profile : asked.profiles)
      for (std::size_t k = 0; k < count; ++k) CHECK(nearest[k] <= profile[k]);
  }
}

TEST_CASE("Profiles of alike sites are those that all pairs of hosts tell") {
  const auto [spec, routing] = GENERATE(
      std::pair{"torus:6x4", RoutingOptions{Routing::simgrid}},
      std::pair{"mesh:5x3", RoutingOptions{Routing::simgrid}},
      std::pair{"torus:4x3m", RoutingOptions{Routing::simgrid}},
      std::pair{"torus:2x3x1", RoutingOptions{Routing::simgrid}},
      std::pair{"torus:3x2,per_router=2", RoutingOptions{Routing::simgrid}},
      std::pair{"fat-tree:2;3,4;1,2;1,1", RoutingOptions{Routing::simgrid}},
      std::pair{"fat-tree:3;1,3,2;1,1,1;1,1,1", RoutingOptions{Routing::simgrid}},
      std::pair{"dragonfly:4,1;2,1;3,1;2", RoutingOptions{Routing::simgrid}},
      std::pair{"dragonfly:5,1;1,1;4,1;1,arrangement=relative", RoutingOptions{Routing::valiant}},
      std::pair{"dragonfly:4,1;2,1;3,1;2,arrangement=absolute,pair_links=2", RoutingOptions{}},
      std::pair{"dragonfly:3,1;2,1;4,1;1,arrangement=relative,pair_links=3",
                RoutingOptions{Routing::ecmp}},
      // In SimGrid's routes the way back may be shorter.
      std::pair{"dragonfly:3,1;3,1;3,1;2", RoutingOptions{Routing::simgrid, true}});
  const auto network = network_of(spec, routing);
  const tests::ChangedNetwork nameless(network);  // it has no shape: all pairs are asked for
  Allocation part = tests::all_hosts(*network, 1);
  Allocation backwards = tests::all_hosts(*network, 2);
  std::reverse(backwards.hosts.begin(), backwards.hosts.end());
  for (std::size_t p = part.hosts.size(); p-- > 0;)
    if (p % 3 == 1) {
      part.hosts.erase(part.hosts.begin() + static_cast<std::ptrdiff_t>(p));
      part.slots.pop_back();
    }
  Allocation uneven = part;
  for (std::size_t p = 0; p < uneven.slots.size(); p += 2) uneven.slots[p] = 3;
  const Allocation one{{HostId{1}}, {4}};
  for (const Allocation& allocation : {tests::all_hosts(*network, 1), backwards, part, uneven, one})
    for (const std::size_t count : {std::size_t{0}, std::size_t{3}, std::size_t{11}}) {
      const auto known = profiles_by_site(*network, allocation, count, {});
      REQUIRE(known);
      const auto asked = host_profiles(nameless, allocation, count, true, {});
      CHECK(known->profiles == asked.profiles);
      CHECK(known->profile_of == asked.profile_of);
      CHECK(known->closest == asked.closest);
    }
}

TEST_CASE("Bounds that are optima") {
  // The optimum of a 12-cube on a torus 16x16x16 is 67584 undirected hops, and the Gray code's
  // largest load is 6 (shared tables of the project: brute force for 3-cubes, papers cited there).
  const CommGraph cube = unit_grid(std::vector<int>(12, 2));
  const auto torus = make_torus({{{16}, {16}, {16}}, {{1}, {}}});
  const Bounds bounds = lower_bounds(cube, *torus, tests::all_hosts(*torus, 1));
  CHECK(bounds.hop_bytes.value == 2 * 67584);
  CHECK(bounds.hop_bytes_kind == "hypercube");
  CHECK(bounds.congestion.value == 6);
}

TEST_CASE("The Jsum bound of a grid on hosts of 48 slots") {
  // Hunold et al., CLUSTER 2020: 50x48 nearest neighbours on 50 hosts: N*2*ceil(2*sqrt(n)) -
  // 2*(X+Y) = 50*28 - 196 = 1204 directed edges leave a host, over two hops each.
  const auto tree = network_of("fat-tree:1;50;1;1", Routing::simgrid);
  const Bounds bounds = lower_bounds(unit_grid({50, 48}), *tree, tests::all_hosts(*tree, 48));
  CHECK(bounds.hop_bytes.value == 2 * 1204);
}

TEST_CASE("The best known split of a grid over leaf switches is the best there is") {
  // 16x16x16 on 64 switches of 64 hosts: cubes of 4x4x4 have 3*48 edges inside, so 2304 of 11520
  // undirected edges are between switches, at 4 hops, the others at 2: 2.40 hops on average.
  const auto tree = network_of("fat-tree:2;64,64;1,1;1,1", Routing::simgrid);
  const Bounds bounds = lower_bounds(unit_grid({16, 16, 16}), *tree, tests::all_hosts(*tree, 1));
  CHECK(bounds.hop_bytes.value == 2 * (2 * 11520 + 2 * 2304));
  const CommGraph moved = shuffled(unit_grid({16, 16, 16}), 1);
  CHECK(lower_bounds(moved, *tree, tests::all_hosts(*tree, 1)).hop_bytes.value ==
        bounds.hop_bytes.value);
}

TEST_CASE("The assignment bound of nug12 is the published bound of Gilmore and Lawler") {
  // 493: QAPLIB, nug12; volumes count every ordered pair there and here.
  const auto guest = qaplib_flows("nug12");
  if (!guest) return;
  const auto mesh = make_torus({{{4, false}, {3, false}}, {{10}, {}}});
  const Allocation allocation = tests::all_hosts(*mesh, 1);
  const Partners partners(*guest);
  const HostProfiles hosts =
      host_profiles(*mesh, allocation, index(partners.max_degree()), true, {});
  CHECK(assignment_bound(rank_types(partners), hosts, allocation) == Approx(493).margin(0.5));
  // Shares moved between stars raise it; the optimum is 578.
  const Bounds bounds = lower_bounds(*guest, *mesh, allocation);
  CHECK(bounds.hop_bytes_kind == "stars");
  CHECK(bounds.hop_bytes.value > 493);
  CHECK(bounds.hop_bytes.value <= 578);
}

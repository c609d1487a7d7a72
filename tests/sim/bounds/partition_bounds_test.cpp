#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <map>

#include "netmodels/network_spec.hpp"
#include "sim/bounds/congestion_bounds.hpp"
#include "sim/bounds/guest_cuts.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "sim/evaluation/bounds.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/random.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Random whole volumes of `density` eighths of all pairs.
CommGraph random_traffic(int ranks, int density, Random& random) {
  std::vector<DirectedEdge> edges;
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b && static_cast<int>(random.below(8)) < density)
        edges.push_back({Rank{a}, Rank{b}, Bytes{static_cast<double>(1 + random.below(10))}});
  return CommGraph(ranks, edges);
}

CommGraph guest_of(const std::string& spec) {
  const Bytes one{1};
  return make_comm_graph(parse_guest_topology(spec), {&one, 1});
}

/// Sum, both ways, of what leaves each set, and the most that one sends or receives.
struct Across {
  double sum = 0, most_sent = 0, most_one_way = 0;
};

Across across(const CommGraph& guest, const std::vector<int>& set_of) {
  std::map<int, std::pair<double, double>> sent_received;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const int from = set_of[index(source)], to = set_of[index(edge.destination)];
    if (from == to) return;
    sent_received[from].first += edge.volume.value;
    sent_received[to].second += edge.volume.value;
  });
  Across result;
  for (const auto& [set, volumes] : sent_received) {
    result.sum += volumes.first + volumes.second;
    result.most_sent = std::max(result.most_sent, volumes.first);
    result.most_one_way = std::max({result.most_one_way, volumes.first, volumes.second});
  }
  return result;
}

/// All ways to part the ranks into sets of at most `most`, one by one.
Across least_across_sets(const CommGraph& guest, int most) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Across least{infinity, infinity, infinity};
  std::vector<int> set_of, sizes;
  const std::function<void()> place = [&] {
    if (static_cast<int>(set_of.size()) == guest.num_ranks()) {
      const Across here = across(guest, set_of);
      least = {std::min(least.sum, here.sum), std::min(least.most_sent, here.most_sent),
               std::min(least.most_one_way, here.most_one_way)};
      return;
    }
    sizes.push_back(0);
    for (std::size_t set = 0; set < sizes.size(); ++set) {
      if (sizes[set] == most) continue;
      ++sizes[set];
      set_of.push_back(static_cast<int>(set));
      place();
      set_of.pop_back();
      if (--sizes[set] == 0) break;  // sets are numbered in the order of their first ranks
    }
    sizes.pop_back();
  };
  place();
  return least;
}

std::vector<double> outside(int most, int ranks) {
  std::vector<double> reach;
  for (int others = 0; others < ranks; ++others) reach.push_back(std::max(0, others + 1 - most));
  return reach;
}

}  // namespace

TEST_CASE("Sets of small guests are parted as the search over all ways says") {
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    const CommGraph guest = random_traffic(4 + i % 5, 1 + i % 7, random);
    const Partners partners(guest);
    for (const int most : {1, 2, 3, 5}) {
      const Across expected = least_across_sets(guest, most);
      const auto parted = SmallGuestCuts(partners).least_parted(0, most);
      CHECK(parted.sum == Approx(expected.sum));
      CHECK(parted.most_sent == Approx(expected.most_sent));
      CHECK(parted.most_one_way == Approx(expected.most_one_way));
    }
  }
}

TEST_CASE("No way to part a random guest is below what trees, forests and partners say") {
  Random random(8);
  for (int i = 0; i < 60; ++i) {
    const CommGraph guest = random_traffic(5 + i % 4, 1 + i % 5, random);
    const Partners partners(guest);
    const RankTypes types = rank_types(partners);
    for (const int most : {2, 3, 4}) {
      const double least = least_across_sets(guest, most).sum * (1 + 1e-12);
      GuestCuts by_arguments(partners, types, false);
      CHECK(by_arguments.least_sum(0, most) <= least);
      CHECK(2 * by_arguments.trees(most).value <= least);
      CHECK(2 * least_across_forests(partners, most) <= least);
      CHECK(by_arguments.least_of_greatest(0, most).one_way <=
            least_across_sets(guest, most).most_one_way * (1 + 1e-12));
    }
  }
}

// What `vtopo check` has to do: ranks below each edge, their sums against the volumes.
TEST_CASE("Packed trees take no more than the volumes of their edges") {
  const std::string spec =
      GENERATE("rgg:200:8:1", "cart:12x12", "hypercube:6", "cart:40", "rgg:4096:8:1");
  const int most = GENERATE(2, 5, 16, 1024);
  const CommGraph guest = guest_of(spec);
  if (most > guest.num_ranks()) return;
  const Partners partners(guest);
  const auto reach = outside(most, most > 16 ? guest.num_ranks() : 64);
  const TreePacking packing = pack_trees(partners, reach);
  std::map<std::pair<Rank, Rank>, double> taken;
  double value = 0;
  for (const PackedTree& tree : packing.trees) {
    REQUIRE(tree.weight >= 0);
    std::vector<int> below(tree.steps.size(), 1);
    for (std::size_t s = tree.steps.size(); s-- > 1;) {
      const auto parent = static_cast<std::size_t>(tree.steps[s].parent);
      REQUIRE(parent < s);
      below[parent] += below[s];
      taken[std::minmax(tree.steps[s].rank, tree.steps[parent].rank)] += tree.weight * below[s];
    }
    value += tree.weight * reach[tree.steps.size() - 1];
  }
  CHECK(packing.value == Approx(value));
  CHECK(packing.value > 0);
  for (const auto& [ranks, volume] : taken) {
    double both = 0;
    for (const Partner& partner : partners.of(ranks.first))
      if (partner.rank == ranks.second) both = partner.both().value;
    CHECK(volume <= both * (1 + 1e-9));
  }
}

TEST_CASE("Trees from some of the ranks say much of large sets") {
  // Four quadrants of a grid of 64 x 64: 128 edges of 2 B both ways are cut, each counts for two
  // sets. From all ranks it would be 67 million steps.
  const CommGraph grid = guest_of("cart:64x64");
  const double twice = 2 * pack_trees(Partners(grid), outside(1024, 4096)).value;
  CHECK(twice <= 512);
  CHECK(twice > 0.3 * 512);
}

TEST_CASE("A chain of ranks is cut once per host but one, by hand") {
  // 50 ranks in a row on hosts of 20: three hosts, two of the links of 2 B, both ways, are cut.
  const CommGraph chain = guest_of("cart:50");
  CHECK(least_across_forests(Partners(chain), 20) == 4);
  CHECK(least_across_forests(Partners(chain), 50) == 0);
  // Two rings of 6 on hosts of 4: each loses an edge of 3 B of its first forest, a chain, and none
  // of the second, the edge that closes the ring, whose two ranks fit into a host.
  std::vector<DirectedEdge> edges;
  for (int ring = 0; ring < 2; ++ring)
    for (int r = 0; r < 6; ++r)
      edges.push_back({Rank{6 * ring + r}, Rank{6 * ring + (r + 1) % 6}, {3}});
  CHECK(least_across_forests(Partners(CommGraph(12, edges)), 4) == 6);
}

TEST_CASE("Columns longer than a host has slots prove what stencil strips reach") {
  // Hunold et al. 2020: 48 columns of 50 ranks, 48 slots per host: each column is cut, two directed
  // edges of one byte over two links each.
  const auto network = make_network("fat-tree:1;50;1;1", {});
  const CommGraph guest = guest_of("stencil:50x48:component");
  CHECK(lower_bounds(guest, *network, tests::all_hosts(*network, 48)).hop_bytes.value == 192);
}

TEST_CASE("Trees say of an irregular guest what its heaviest partners do not") {
  // With 15 of at most 14 partners in the host of a rank, partners say nothing; a portfolio reaches
  // 8.2 kB on this torus.
  const auto network = make_network("torus:4x4x4", {});
  const CommGraph guest = guest_of("rgg:1024:8:1");
  const double bound =
      lower_bounds(guest, *network, tests::all_hosts(*network, 16)).hop_bytes.value;
  CHECK(bound > 3500);
  CHECK(bound < 8300);
}

TEST_CASE("Links that no route of the job takes carry nothing, by hand") {
  // Hosts 0 and 1 of a ring of 8 with links of 10 B/s: one link each way, though the ring has 16.
  NetworkDefaults defaults;
  defaults.bandwidth = {10};
  const auto ring = make_network("torus:8", defaults);
  const Allocation two = make_allocation(*ring, "list:0,1", std::vector{1}, 1);
  const UsedLinks links = find_used_links(*ring, two);
  CHECK(std::count(links.used.begin(), links.used.end(), true) == 2);
  REQUIRE(links.doors.size() == 2);
  CHECK(links.doors[0].out == 1);
  CHECK(links.doors[0].in == 1);
  // Ranks of two slots each: 0 and 1 send 6 B each to 2 and 3, two flows of 3 B. Parted as {0, 2}
  // and {1, 3}, 3 B leave each host by its one link; by two it would be half the time.
  std::vector<DirectedEdge> edges;
  for (const int source : {0, 1})
    for (const int destination : {2, 3}) edges.push_back({Rank{source}, Rank{destination}, {3}});
  const Allocation slots = make_allocation(*ring, "list:0,1", std::vector{2}, 1);
  const Bounds bounds = lower_bounds(CommGraph(4, edges), *ring, slots);
  CHECK(bounds.congestion.value == Approx(0.3));
}

TEST_CASE("Of three flows through two doors two share one, by hand") {
  // Rank 0 sends 5, 4 and 3 B: 4 and 3 B share a link of 1 B/s, or 5 and another.
  const std::vector<DirectedEdge> edges{
      {Rank{0}, Rank{1}, {5}}, {Rank{0}, Rank{2}, {4}}, {Rank{0}, Rank{3}, {3}}};
  const CommGraph star(4, edges);
  const Partners partners(star);
  Allocation hosts;
  for (int h = 0; h < 4; ++h) hosts.hosts.push_back(HostId{h}), hosts.slots.push_back(1);
  const std::vector<HostDoors> doors(4, HostDoors{2, 2});
  NamedBound best;
  bound_by_doors(partners, hosts, doors, BytesPerSecond{1}, best);
  CHECK(best.value == Approx(7));
  // One more slot keeps 5 B inside: 4 and 3 B have a door each.
  for (int& slots : hosts.slots) slots = 2;
  NamedBound of_two;
  bound_by_doors(partners, hosts, doors, BytesPerSecond{1}, of_two);
  CHECK(of_two.value == Approx(4));
}

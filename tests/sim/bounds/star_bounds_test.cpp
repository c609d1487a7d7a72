#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/bounds/assignment.hpp"
#include "sim/bounds/hop_bounds.hpp"
#include "tests/sim/bounds/bounds_brute_force.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Random whole volumes of half of all pairs.
CommGraph random_volumes(int ranks, Random& random) {
  std::vector<DirectedEdge> edges;
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b && random.below(2) == 0)
        edges.push_back({Rank{a}, Rank{b}, Bytes{static_cast<double>(1 + random.below(10))}});
  return CommGraph(ranks, edges);
}

/// Least sum of volumes, and least of the largest times, over all ways to share the ranks.
std::pair<double, double> least_of_all_ways(GuestCuts& guest, const CutFamily& family) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::pair<double, double> least{infinity, infinity};
  const std::function<void(std::size_t, int, double, double)> fill = [&](std::size_t cell, int left,
                                                                         double sum, double time) {
    if (cell == family.cuts.size()) {
      if (left == 0) least = {std::min(least.first, sum), std::min(least.second, time)};
      return;
    }
    const NetworkCut& cut = family.cuts[cell];
    for (int k = 0; k <= std::min<std::int64_t>(left, cut.slots); ++k)
      fill(cell + 1, left - k, sum + guest.least(k),
           std::max(time, guest.least(k) / cut.capacity.value));
  };
  fill(0, guest.num_ranks(), 0, 0);
  return least;
}

}  // namespace

TEST_CASE("Stars prove no more than the optimum, and no less than the assignment") {
  Random random(11);
  double raised = 0;
  for (int i = 0; i < 24; ++i) {
    const auto network =
        make_network(std::vector<std::string>{"torus:4x4", "mesh:3x4", "fat-tree:2;2,6;1,1;1,1",
                                              "dragonfly:3,1;2,1;2,1;2"}[random.below(4)],
                     {});
    const int slots = 1 + i % 2;
    const Allocation allocation = make_allocation(*network, slots == 1 ? "random:6" : "random:4",
                                                  {&slots, 1}, static_cast<std::uint64_t>(i + 1));
    const CommGraph guest = random_volumes(5 + i % 2, random);
    const Partners partners(guest);
    const RankTypes types = rank_types(partners);
    const auto stars = ascend_stars(partners, *network, allocation);
    REQUIRE(stars);
    const double least = BruteForce(guest, *network, allocation).least().hop_bytes.value;
    const HostProfiles hosts =
        host_profiles(*network, allocation, index(partners.max_degree()), true, {});
    const double assigned = assignment_bound(types, hosts, allocation);
    CHECK(stars->value <= least * (1 + 1e-12));
    CHECK(stars->value >= assigned * (1 - 1e-9));
    if (assigned > 0) raised += stars->value / assigned - 1;
  }
  CHECK(raised > 0.1);
}

TEST_CASE("Stars of many ranks and hosts are not looked at") {
  const auto network = make_network("torus:16x16", {});
  const int slots = 1;
  const Allocation allocation = make_allocation(*network, "all", {&slots, 1}, 1);
  Random random(1);
  CHECK(!ascend_stars(Partners(random_volumes(100, random)), *network, allocation));
}

TEST_CASE("What cells that share all ranks exchange is no more than in any way to share them") {
  Random random(12);
  for (int i = 0; i < 40; ++i) {
    const CommGraph guest = random_volumes(8, random);
    const Partners partners(guest);
    const RankTypes types = rank_types(partners);
    GuestCuts cuts(partners, types);
    CutFamily family{"cells", {}, true, 1};
    std::int64_t slots = 0;
    while (family.cuts.size() < 4 || slots < 8) {
      const auto size = static_cast<std::int64_t>(1 + random.below(5));
      const BytesPerSecond capacity{static_cast<double>(1 + random.below(3))};
      family.cuts.push_back({size, capacity, capacity});
      slots += size;
    }
    const auto [sum, time] = least_of_all_ways(cuts, family);
    CHECK(least_shared_sum(cuts, family, slots) <= sum * (1 + 1e-12));
    CHECK(least_shared_time(cuts, family, slots) <= time * (1 + 1e-12));
  }
}

// Six ranks in a ring, and cells of 1, 2 and 3: all are full, and each has two messages both ways
// out of it, 4 bytes; the slowest cell takes 4 bytes at 2 bytes per second.
TEST_CASE("Cells that must be full exchange what full ones do") {
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 6; ++r)
    for (const int step : {1, 5}) edges.push_back({Rank{r}, Rank{(r + step) % 6}, Bytes{1}});
  const CommGraph guest(6, edges);
  const Partners partners(guest);
  const RankTypes types = rank_types(partners);
  GuestCuts cuts(partners, types);
  const CutFamily family{"cells", {{1, {4}, {4}}, {2, {2}, {2}}, {3, {8}, {8}}}, true, 1};
  CHECK(least_shared_sum(cuts, family, 6) == Approx(12));
  CHECK(least_shared_time(cuts, family, 6) == 2);
}

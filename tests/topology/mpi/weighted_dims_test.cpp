#include "topology/mpi/dims_create.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <tuple>

#include "tests/support/message_of.hpp"
#include "tests/topology/mpi/dims_oracle.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

/// A weighted grid with its lists; integer volumes, so that sums in doubles are exact.
struct Case {
  int num_ranks = 1;
  std::vector<Bytes> volumes;
  std::vector<int> fixed;
  std::vector<int> extents;
  int slots = 1;

  WeightedGrid grid() const { return {num_ranks, volumes, fixed, extents, slots}; }
};

/// What the doc comment minimises, in its order; sizes are negated where larger is preferred.
struct Candidate {
  double between_hosts = 0;
  double halo = 0;
  double squares = 0;
  std::vector<int> preference;

  auto key() const { return std::tie(between_hosts, halo, squares, preference); }
};

/// The candidate of hosts and tile, if fixed sizes and extents allow it.
std::optional<Candidate> candidate(const Case& grid, const std::vector<int>& hosts,
                                   const std::vector<int>& tile) {
  Candidate result;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const int size = hosts[i] * tile[i];
    if (!grid.fixed.empty() && grid.fixed[i] > 0 && grid.fixed[i] != size) return std::nullopt;
    if (!grid.extents.empty() && size > grid.extents[i]) return std::nullopt;
    result.between_hosts += grid.volumes[i].value * hosts[i];
    result.halo += grid.volumes[i].value * size;
    result.squares += size * size;
    result.preference.insert(result.preference.end(), {-size, -hosts[i]});
  }
  return result;
}

/// Best candidate of all boxes of ranks on all grids of hosts.
std::optional<Candidate> best_by_definition(const Case& grid) {
  const int count = static_cast<int>(grid.volumes.size());
  std::optional<Candidate> best;
  for_each_product(grid.num_ranks / grid.slots, count, [&](const std::vector<int>& hosts) {
    for_each_product(grid.slots, count, [&](const std::vector<int>& tile) {
      const auto next = candidate(grid, hosts, tile);
      if (next && (!best || next->key() < best->key())) best = next;
    });
  });
  return best;
}

/// Random case with few different volumes, so that there are ties.
Case random_case(Random& random) {
  Case grid;
  grid.slots = static_cast<int>(1 + random.below(12));
  grid.num_ranks = grid.slots * static_cast<int>(1 + random.below(60));
  const std::size_t count = 1 + random.below(4);
  const bool with_fixed = random.below(3) == 0;
  const bool with_extents = random.below(3) == 0;
  for (std::size_t i = 0; i < count; ++i) {
    grid.volumes.push_back({static_cast<double>(random.below(5))});
    if (with_extents) grid.extents.push_back(static_cast<int>(1 + random.below(40)));
    if (with_fixed) grid.fixed.push_back(0);
  }
  if (with_fixed) {
    const auto all = [&] {
      std::vector<int> sizes;
      for (int size = 1; size <= grid.num_ranks; ++size)
        if (grid.num_ranks % size == 0 && (count > 1 || size == grid.num_ranks))
          sizes.push_back(size);
      return sizes;
    }();
    grid.fixed[random.below(count)] = all[random.below(all.size())];
  }
  return grid;
}

std::string sentence_of(const Case& grid) {
  return message_of<UsageError>([&] { weighted_dims_create(grid.grid()); });
}

}  // namespace

TEST_CASE("Weighted dims cut the domain into boxes with the smallest surface") {
  // 200x100 points on 8 ranks: 4x2 makes squares of 50x50 with 4*100 + 2*200 points on the cuts.
  const auto volumes = cut_volumes(std::vector{200, 100}, {1});
  CHECK(volumes == std::vector{Bytes{100}, Bytes{200}});
  const auto result = weighted_dims_create({.num_ranks = 8, .volumes = volumes});
  CHECK(result.dims == std::vector{4, 2});
  CHECK(result.hosts == result.dims);
  CHECK(result.tile == std::vector{1, 1});
  CHECK(result.halo_volume.value == 800);
  CHECK(result.inter_host_volume.value == 800);
}

TEST_CASE("Slots per host can change the sizes of the best grid") {
  // 12 ranks, equal volumes: 4x3 has 7 cuts. Of the grids of 4 hosts 2x2 has the fewest cuts, and a
  // box of 3 ranks makes it 6x2.
  const Case alone{12, {{1}, {1}}, {}, {}, 1};
  CHECK(weighted_dims_create(alone.grid()).dims == std::vector{4, 3});
  const Case shared{12, {{1}, {1}}, {}, {}, 3};
  const auto result = weighted_dims_create(shared.grid());
  CHECK(result.dims == std::vector{6, 2});
  CHECK(result.hosts == std::vector{2, 2});
  CHECK(result.tile == std::vector{3, 1});
  CHECK(result.inter_host_volume.value == 4);
  CHECK(result.halo_volume.value == 8);
}

TEST_CASE("Equal volumes give the smallest sum of sizes, ties the smallest sum of squares") {
  // 360: 9+8+5 = 10+6+6; 170 < 172.
  const Case grid{360, {{3}, {3}, {3}}, {}, {}, 1};
  CHECK(weighted_dims_create(grid.grid()).dims == std::vector{9, 8, 5});
}

TEST_CASE("Volumes of zero leave a balanced grid") {
  // 4x4x4 has the smallest sum of squares.
  const Case grid{64, {{0}, {0}, {0}}, {}, {}, 1};
  CHECK(weighted_dims_create(grid.grid()).dims == std::vector{4, 4, 4});
}

TEST_CASE("Weighted dims agree with brute force over hosts and tiles") {
  Random random(7);
  int possible = 0;
  for (int i = 0; i < 1500; ++i) {
    const Case grid = random_case(random);
    const auto expected = best_by_definition(grid);
    if (!expected) {
      CHECK_THROWS_AS(weighted_dims_create(grid.grid()), UsageError);
      continue;
    }
    ++possible;
    const auto result = weighted_dims_create(grid.grid());
    const auto actual = candidate(grid, result.hosts, result.tile);
    REQUIRE(actual);
    CAPTURE(grid.num_ranks, grid.slots, result.dims, result.hosts);
    CHECK(actual->key() == expected->key());
    CHECK(result.inter_host_volume.value == expected->between_hosts);
    CHECK(result.halo_volume.value == expected->halo);
  }
  CHECK(possible > 1000);
}

TEST_CASE("The volume between hosts is what ranks of a periodic grid send to other hosts") {
  // Every rank of the grid sends volumes[i] * dims[i] / num_ranks to its next neighbour in
  // dimension i. A dimension with one host has no cut between hosts.
  const Case grid{96, {{32}, {48}, {96}}, {}, {}, 8};
  const auto result = weighted_dims_create(grid.grid());
  std::vector<Dimension> dimensions;
  double expected = result.inter_host_volume.value;
  for (std::size_t i = 0; i < 3; ++i) {
    dimensions.push_back({result.dims[i], Periodicity::periodic});
    if (result.hosts[i] == 1) expected -= grid.volumes[i].value;
  }
  const Cartesian ranks(dimensions);
  double sent = 0;
  for (int r = 0; r < ranks.num_ranks(); ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      const int here = ranks.coords(Rank{r})[i];
      const int there = (here + 1) % result.dims[i];
      if (here / result.tile[i] != there / result.tile[i])
        sent += grid.volumes[i].value * result.dims[i] / grid.num_ranks;
    }
  CHECK(sent == Approx(expected));
  CHECK(sent > 0);
}

TEST_CASE("Highly composite numbers of ranks have weighted dims in many dimensions") {
  // 2^6*3^3*5^2*7*11*13*17 has 15 prime factors: with equal volumes each its own dimension.
  const std::vector<Bytes> volumes(32, Bytes{1});
  const auto result = weighted_dims_create({.num_ranks = 735134400, .volumes = volumes});
  CHECK(result.dims[0] == 17);
  CHECK(result.dims[14] == 2);
  CHECK(result.dims[15] == 1);
}

TEST_CASE("Erroneous weighted grids are errors that name the value") {
  CHECK(sentence_of({12, {{1}, {-1}}, {}, {}, 1}) ==
        "volume -1 of dimension 1: accepted are finite numbers >= 0");
  CHECK(sentence_of({12, {{std::numeric_limits<double>::quiet_NaN()}}, {}, {}, 1}) ==
        "volume nan of dimension 0: accepted are finite numbers >= 0");
  CHECK(sentence_of({12, {{1}, {1}}, {0}, {}, 1}) ==
        "1 fixed sizes for 2 volumes: accepted is one per dimension");
  CHECK(sentence_of({12, {{1}, {1}}, {}, {9}, 1}) ==
        "1 extents for 2 volumes: accepted is one per dimension");
  CHECK(sentence_of({12, {{1}, {1}}, {5, 0}, {}, 1}) ==
        "12 ranks are not divisible by 5, the product of the fixed sizes");
  CHECK(sentence_of({12, {{1}, {1}}, {}, {}, 5}) ==
        "5 slots per host for 12 ranks: accepted are divisors of the number of ranks, the nearest "
        "is 4");
  CHECK(sentence_of({12, {{1}, {1}}, {}, {}, 0}) ==
        "0 slots per host for 12 ranks: accepted are divisors of the number of ranks, the nearest "
        "is 1");
  CHECK(sentence_of({12, {{1}, {1}}, {}, {3, 3}, 1}) ==
        "no grid of 12 ranks, 1 per host, has sizes of at most 3x3");
  CHECK(sentence_of({12, {{1}, {1}}, {4, 0}, {3, 9}, 2}) ==
        "no grid of 12 ranks, 2 per host, has sizes of at most 3x9, with 4,0 fixed (0: free)");
  CHECK(sentence_of({12, {}, {}, {}, 1}) == "12 ranks in a grid of zero dimensions: accepted is 1");
  CHECK(message_of<UsageError>([] {
          cut_volumes(std::vector{4, 0}, {1});
        }) == "extent 0 of dimension 1: accepted are 1 or more");
}

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/more_mappers/layouts/tiles.hpp"
#include "tests/sim/guests.hpp"
#include "topology/base/error.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Stencil on a ring of hosts: Jsum and Jmax know no distances.
struct TileCase {
  Stencil stencil;
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;

  TileCase(std::string_view spec, int hosts, const std::vector<int>& slots)
      : stencil(*parse_stencil(spec)),
        network(make_torus({{{hosts}}, {}})),
        allocation(make_allocation(*network, "all", slots, 1)),
        guest(make_comm_graph(stencil, std::vector{Bytes{1}})) {}

  MappingProblem problem() const { return {guest, *network, allocation, &stencil.grid}; }

  Embedding map(std::string_view mapper) const {
    return run_mapper(parse_mappers(mapper).front(), problem());
  }

  /// Jsum and Jmax.
  std::pair<std::int64_t, std::int64_t> leaving(std::string_view mapper) const {
    const Metrics metrics = evaluate(guest, *network, map(mapper));
    return {metrics.jsum, metrics.jmax};
  }

  std::int64_t jsum(std::string_view mapper) const { return leaving(mapper).first; }
};

using Leaving = std::pair<std::int64_t, std::int64_t>;

const std::vector<std::string> any_slots = {"hyperplane", "kdtree", "stencil_strips",
                                            "stencil_strips:height=root", "tile"};

/// Least Jsum over all ways to give the ranks to hosts with `slots` slots each, by trying all.
std::int64_t least_jsum(const CommGraph& guest, int hosts, int slots) {
  std::vector<int> host_of(static_cast<std::size_t>(guest.num_ranks()));
  std::vector<int> taken(static_cast<std::size_t>(hosts), 0);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const std::function<void(std::size_t)> place = [&](std::size_t rank) {
    if (rank < host_of.size()) {
      for (std::size_t h = 0; h < taken.size(); ++h) {
        if (taken[h] == slots) continue;
        ++taken[h];
        host_of[rank] = static_cast<int>(h);
        place(rank + 1);
        --taken[h];
        if (taken[h] == 0) return;  // empty hosts are equivalent
      }
      return;
    }
    std::int64_t sum = 0;
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      sum += host_of[index(source)] != host_of[index(edge.destination)];
    });
    least = std::min(least, sum);
  };
  place(0);
  return least;
}

}  // namespace

TEST_CASE("Jsum and Jmax of 48 ranks per host are those of the published code") {
  // Hunold et al. (CLUSTER 2020): their code on open grids with 48 ranks per host.
  const TileCase small("stencil:50x48:neumann", 50, {48});
  CHECK(small.leaving("nodecart") == Leaving(2404, 50));
  CHECK(small.leaving("hyperplane") == Leaving(1328, 38));
  CHECK(small.leaving("kdtree") == Leaving(1732, 46));
  CHECK(small.leaving("stencil_strips:height=root") == Leaving(1244, 28));
  const TileCase large("stencil:75x64:neumann", 100, {48});
  CHECK(large.leaving("nodecart") == Leaving(3522, 38));
  CHECK(large.leaving("hyperplane") == Leaving(2802, 38));
  CHECK(large.leaving("kdtree") == Leaving(3490, 46));
  CHECK(large.leaving("stencil_strips:height=root") == Leaving(2654, 30));
}

TEST_CASE("Jsum and Jmax of edges along one dimension are those of the published code") {
  const TileCase small("stencil:50x48:component", 50, {48});
  CHECK(small.leaving("nodecart") == Leaving(2304, 48));
  CHECK(small.leaving("hyperplane") == Leaving(288, 16));
  const TileCase large("stencil:75x64:component", 100, {48});
  CHECK(large.leaving("nodecart") == Leaving(3072, 32));
  CHECK(large.leaving("hyperplane") == Leaving(768, 32));
  for (const auto mapper : {"kdtree", "stencil_strips:height=root", "stencil_strips", "tile"}) {
    INFO(mapper);
    CHECK(small.leaving(mapper) == Leaving(96, 2));
    CHECK(large.leaving(mapper) == Leaving(192, 2));
  }
}

TEST_CASE("The best strips are at least as good as the best published ones") {
  // The published code over all heights: 1224/30, and 2580/30, which strips of 8 along dimension 0
  // beat: 64 / 8 strips of full tiles of 6x8, counted by a separate script.
  CHECK(TileCase("stencil:50x48:neumann", 50, {48}).leaving("stencil_strips") == Leaving(1224, 30));
  const TileCase large("stencil:75x64:neumann", 100, {48});
  CHECK(large.leaving("stencil_strips") == Leaving(2562, 28));
  CHECK(large.leaving("stencil_strips:height=8") == Leaving(2562, 28));
}

TEST_CASE("No mapper leaves fewer edges between hosts than the perimeters of squares") {
  // A host of n cells of a plane has at least 2 * ceil(2 * sqrt(n)) sides; those on the rim of the
  // grid are not edges.
  const std::vector<std::pair<int, int>> sizes{{50, 48}, {75, 64}, {16, 9}, {48, 3}, {97, 96}};
  for (const auto& [x, y] : sizes) {
    const int hosts = x * y / 48;
    const TileCase given(fmt::format("stencil:{}x{}:neumann", x, y), hosts, {48});
    const int bound = hosts * 2 * static_cast<int>(std::ceil(2 * std::sqrt(48.0))) - 2 * (x + y);
    for (const std::string& mapper : any_slots) {
      INFO(mapper << " " << x << "x" << y);
      CHECK(given.jsum(mapper) >= bound);
    }
  }
}

TEST_CASE("Tile mappers fill the hosts in allocation order, whatever the sizes") {
  const std::vector<std::string> specs{"stencil:7x11:neumann",  "stencil:13:moore",
                                       "stencil:1x1:neumann",   "stencil:5px2px3:moore",
                                       "stencil:6x1x8p:hops",   "stencil:2x2x2x2x2:moore",
                                       "stencil:31x3:component"};
  const std::vector<std::vector<int>> all_slots{{9}, {3, 1, 40, 7, 1, 2, 5, 90}, {200}};
  for (const std::string& spec : specs)
    for (const std::vector<int>& slots : all_slots) {
      const TileCase given(spec, slots.size() == 1 ? 20 : 8, slots);
      std::vector<int> expected(given.allocation.hosts.size(), 0);
      int left = given.guest.num_ranks();
      for (std::size_t h = 0; h < expected.size(); ++h) {
        expected[h] = std::min(left, given.allocation.slots[h]);
        left -= expected[h];
      }
      for (const std::string& mapper : any_slots) {
        INFO(mapper << " " << spec << " " << slots[0]);
        std::vector<int> ranks(expected.size(), 0);
        const Embedding embedding = given.map(mapper);
        for (const HostId host : embedding.hosts()) ++ranks[index(host)];
        CHECK(ranks == expected);
      }
    }
}

TEST_CASE("On tiny grids no mapper undercuts the optimum, and tiles attain it where they divide") {
  // Optima by trying all assignments.
  struct Tiny {
    const char* spec;
    int hosts, slots;
    bool divides;
  };
  const std::vector<Tiny> tinies{
      {"stencil:4x4:neumann", 4, 4, true},   {"stencil:2x6:neumann", 3, 4, true},
      {"stencil:3x4:moore", 3, 4, false},    {"stencil:3x3:neumann", 3, 4, false},
      {"stencil:2x2x3:neumann", 3, 4, true}, {"stencil:4px3:neumann", 4, 3, false},
      {"stencil:11:hops", 3, 4, false}};
  for (const Tiny& tiny : tinies) {
    const TileCase given(tiny.spec, tiny.hosts, {tiny.slots});
    const std::int64_t least = least_jsum(given.guest, tiny.hosts, tiny.slots);
    for (const std::string& mapper : any_slots) {
      INFO(mapper << " " << tiny.spec);
      CHECK(given.jsum(mapper) >= least);
    }
    if (!tiny.divides) continue;
    INFO(tiny.spec);
    CHECK(given.jsum("tile") == least);
    CHECK(given.jsum("nodecart") == least);
    CHECK(given.jsum("stencil_strips") == least);
  }
}

TEST_CASE("Hyperplane and nodecart keep hosts whole in three dimensions") {
  // 64 ranks per host on 8x8x8, cubes of 4x4x4 by hand: 3 planes of 64 edges, both directions.
  const TileCase given("stencil:8x8x8:neumann", 8, {64});
  for (const auto mapper : {"hyperplane", "kdtree", "nodecart", "tile", "stencil_strips"}) {
    INFO(mapper);
    CHECK(given.leaving(mapper) == Leaving(384, 48));
  }
}

TEST_CASE("Nodecart says why there is no tile") {
  const auto reason = [](std::string_view spec, const std::vector<int>& slots) {
    return unsupported_reason({"nodecart", {}}, TileCase(spec, 8, slots).problem());
  };
  CHECK(reason("stencil:7x8:neumann", {12}) ==
        "finds no host tile: no box of 12 ranks has sides that divide those of 7x8");
  CHECK(reason("stencil:4x4:neumann", {1, 2, 3, 4, 5, 6, 7, 8}) ==
        "needs the same number of slots on every host");
  CHECK(reason("stencil:4x4:neumann", {4}) == std::nullopt);
  CHECK(reason("stencil:7x11:neumann", {100}) == std::nullopt);  // one host takes all
}

TEST_CASE("Tile mappers need a grid") {
  const TileCase given("stencil:4x4:neumann", 4, {4});
  const MappingProblem problem{given.guest, *given.network, given.allocation};
  for (const auto mapper : {"hyperplane", "kdtree", "nodecart", "stencil_strips", "tile"}) {
    CHECK(unsupported_reason({mapper, {}}, problem) ==
          "needs a Cartesian grid, such as --topology cart:8x8");
    CHECK_THROWS_AS(run_mapper({mapper, {}}, problem), UsageError);
  }
}

TEST_CASE("A strip height is best, root or a number") {
  const TileCase given("stencil:8x8:neumann", 4, {16});
  CHECK(given.jsum("stencil_strips:height=1000000000000") > 0);
  for (const auto height : {"0", "-1", "4x", "", "highest"})
    CHECK_THROWS_AS(given.map(fmt::format("stencil_strips:height={}", height)), UsageError);
}

TEST_CASE("A walk over boxes visits each cell once, each box next to the one before") {
  const Cartesian grid({{5}, {4}, {3}});
  const std::vector<BoxCuts> cuts{cuts_every(2, 5), even_cuts(2, 4), cuts_every(1, 3)};
  const std::vector<std::size_t> order{1, 0, 2};
  const FillOrder walk = walk_boxes(grid, cuts, order);
  CHECK(std::set<Rank>(walk.begin(), walk.end()).size() == 60);
  CHECK(walk.size() == 60);
  const auto box = [&](Rank rank) {
    const auto c = grid.coords(rank);
    return std::vector<int>{c[0] / 2, c[1] / 2, c[2]};
  };
  for (std::size_t i = 1; i < walk.size(); ++i) {
    const auto a = box(walk[i - 1]), b = box(walk[i]);
    CHECK(std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) <= 1);
  }
}

TEST_CASE("The cheapest box is that of a search over all boxes") {
  for (const int cells : {1, 7, 12, 48, 60, 97}) {
    const auto cost = [](std::size_t d, int side) {
      return side > 20 ? std::numeric_limits<double>::infinity()
                       : static_cast<double>(d + 1) / side + side * 0.01;
    };
    double least = std::numeric_limits<double>::infinity();
    for (int a = 1; a <= 20; ++a)
      for (int b = 1; b <= 20; ++b)
        for (int c = 1; c <= 20; ++c)
          if (a * b * c == cells) least = std::min(least, cost(0, a) + cost(1, b) + cost(2, c));
    const auto box = cheapest_box(cells, 3, cost);
    REQUIRE(box.has_value() == std::isfinite(least));
    if (!box) continue;
    CHECK((*box)[0] * (*box)[1] * (*box)[2] == cells);
    CHECK(cost(0, (*box)[0]) + cost(1, (*box)[1]) + cost(2, (*box)[2]) == Approx(least));
  }
}

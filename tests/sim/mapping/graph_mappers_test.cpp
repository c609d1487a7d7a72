#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/guest_bisection.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

BisectionTask task_of(const CommGraph& guest, std::int64_t size) {
  BisectionTask task{guest_graph(Partners(guest)), {}, size};
  task.bias.resize(task.graph.weights.size(), 0);
  return task;
}

double smallest_cost(const BisectionTask& task) {
  const auto n = static_cast<unsigned>(task.graph.num_vertices());
  double best = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1U << n; ++set) {
    Sides sides(n);
    for (unsigned v = 0; v < n; ++v) sides[v] = (set >> v) & 1U;
    if (std::count(sides.begin(), sides.end(), 0) == task.size)
      best = std::min(best, bisection_cost(task, sides));
  }
  return best;
}

Metrics mapped(const std::string& mapper, const CommGraph& guest, const Network& network,
               const Allocation& allocation, const Cartesian* grid = nullptr) {
  return evaluate(guest, network, run_mapper({mapper, {}}, {guest, network, allocation, grid, 1}));
}

}  // namespace

TEST_CASE("Bisections have the size asked for and the smallest cost of all on small graphs") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BisectionTask task = task_of(drawn_graph(11, 40, seed), static_cast<int>(seed % 6) + 1);
    Random random(seed);
    for (double& bias : task.bias) bias = static_cast<double>(random.below(13)) - 6;
    const Sides sides = bisect(task, 4, random);
    CHECK(std::count(sides.begin(), sides.end(), 0) == task.size);
    CHECK(bisection_cost(task, sides) == Approx(smallest_cost(task)));
  }
}

TEST_CASE("Bisections of up to eight vertices are the best of all") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int ranks = 2 + static_cast<int>(seed % 7);
    BisectionTask task =
        task_of(drawn_graph(ranks, 20, seed), 1 + static_cast<int>(seed) % (ranks - 1));
    Random random(seed);
    for (double& bias : task.bias) bias = static_cast<double>(random.below(13)) - 6;
    const Sides sides = bisect_exactly(task);
    CHECK(bisect(task, 1, random) == sides);
    CHECK(std::count(sides.begin(), sides.end(), 0) == task.size);
    CHECK(bisection_cost(task, sides) == Approx(smallest_cost(task)));
  }
}

TEST_CASE("A bisection that has to stop has its size nevertheless") {
  const BisectionTask task = task_of(unit_grid({70, 70}), 1000);
  Random random(1);
  const Sides sides = bisect(task, 2, random, [] { return true; });
  CHECK(sides.size() == 4900);
  CHECK(std::count(sides.begin(), sides.end(), 0) == 1000);
}

TEST_CASE("Ranks on hosts that are alike are not dealt by bisections but all have a slot") {
  // 4 leaf switches of 8 hosts: three cuts of 4 edges split an 8x4 grid into 2x4 blocks. Of its 104
  // directed edges those 24 travel four hops, the others two; fewer cut edges there are not.
  const auto tree = make_network("fat-tree:2;8,4;1,2;1,1", {});
  const auto guest = shuffled(unit_grid({8, 4}), 5);
  for (const char* mapper : {"multisection", "bisection"}) {
    const Metrics metrics = mapped(mapper, guest, *tree, tests::all_hosts(*tree));
    CHECK(metrics.hop_bytes.value == 2 * 104 + 2 * 24);
  }
  // Part of the hosts, some with two slots: every rank has a slot of its own, or this throws.
  Allocation part = tests::all_hosts(*tree);
  part.hosts.resize(20);
  part.slots.assign(20, 1);
  part.slots[3] = part.slots[17] = 2;
  for (const int ranks : {15, 22})
    CHECK_NOTHROW(mapped("multisection", drawn_graph(ranks, 60, 2), *tree, part));
}

TEST_CASE("A shuffled 16x16 grid is cut along a line") {
  // 16 undirected edges of weight 2 (one unit per direction): the bisection width of the grid.
  const BisectionTask task = task_of(shuffled(unit_grid({16, 16}), 3), 128);
  Random random(1);
  CHECK(bisection_cost(task, bisect(task, 4, random)) == 32);
}

TEST_CASE("Refinement of a bisection never raises its cost and repairs its size") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const BisectionTask task = task_of(drawn_graph(60, 200, seed), 25);
    Sides sides(60, 1);
    std::fill_n(sides.begin(), 25, std::uint8_t{0});
    const double before = bisection_cost(task, sides);
    refine_bisection(task, 0, sides);
    CHECK(std::count(sides.begin(), sides.end(), 0) == 25);
    CHECK(bisection_cost(task, sides) <= before);
    Sides empty(60, 1);
    refine_bisection(task, 0, empty);
    CHECK(std::count(empty.begin(), empty.end(), 0) == 25);
  }
}

TEST_CASE("Refinement repairs the size of a bisection whose best moves all lead to the full side") {
  // The best move is always one to side 0, or the way back from as many as may be too many there.
  for (const int ranks : {100, 260}) {
    BisectionTask task = task_of(drawn_graph(ranks, 2 * ranks, 1), ranks / 4);
    std::fill(task.bias.begin(), task.bias.end(), 100.0);
    Sides sides(static_cast<std::size_t>(ranks), 1);
    std::fill_n(sides.begin(), task.size + 1, std::uint8_t{0});
    refine_bisection(task, 0, sides);
    CHECK(std::count(sides.begin(), sides.end(), 0) == task.size);
  }
}

TEST_CASE("Contraction keeps the weight of every cut that it can express") {
  const WeightedGraph graph = guest_graph(Partners(drawn_graph(12, 50, 4)));
  const std::vector<int> coarse_of{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  const WeightedGraph coarse = contracted_graph(graph, coarse_of, 4);
  CHECK(coarse.weights == std::vector{3, 3, 3, 3});
  for (unsigned set = 0; set < 16; ++set) {
    Sides coarse_sides(4), sides(12);
    for (unsigned c = 0; c < 4; ++c) coarse_sides[c] = (set >> c) & 1U;
    for (std::size_t v = 0; v < 12; ++v)
      sides[v] = coarse_sides[static_cast<std::size_t>(coarse_of[v])];
    CHECK(bisection_cost({coarse, std::vector<double>(4, 0), 0}, coarse_sides) ==
          bisection_cost({graph, std::vector<double>(12, 0), 0}, sides));
  }
}

TEST_CASE("A host hierarchy halves along the machine and deals exactly the ranks") {
  for (const auto* spec : {"fat-tree:2;4,6;1,1;1,1", "dragonfly:3,1;2,1;2,1;2", "torus:4x6",
                           "torus:4x3,per_router=2"}) {
    const auto network = make_network(spec, {});
    const Allocation allocation = make_allocation(*network, "all", std::vector{3}, 1);
    const HopTable table(*network, allocation);
    for (const int ranks : {1, 5, 24, 71, 72}) {
      const auto parts = host_hierarchy(*network, allocation, table, ranks).parts;
      INFO(spec << ", " << ranks << " ranks");
      REQUIRE(parts.front().ranks == ranks);
      for (const HostPart& part : parts) {
        CHECK(part.ranks <= part.slots);
        if (part.is_host()) continue;
        const HostPart& a = parts[static_cast<std::size_t>(part.halves[0])];
        const HostPart& b = parts[static_cast<std::size_t>(part.halves[1])];
        CHECK(a.ranks + b.ranks == part.ranks);
        CHECK(a.last - a.first + b.last - b.first == part.last - part.first);
      }
    }
  }
}

TEST_CASE("Few ranks on many hosts with many slots stay on as few hosts as hold them") {
  const auto tree = make_network("fat-tree:2;4,4;1,1;1,1", {});
  const auto allocation = tests::all_hosts(*tree, 8);
  const auto guest = unit_grid({4, 4});
  // 16 ranks, 8 slots: two hosts below one switch, and the 4x4 grid cut once: 4 edges, both ways.
  for (const auto* mapper : {"multilevel", "multisection"})
    CHECK(mapped(mapper, guest, *tree, allocation).jsum == 8);
}

TEST_CASE("A shuffled 4x4x4 grid falls into cubes on a fat tree with eight hosts per switch") {
  // 144 edges, of which each of eight 2x2x2 cubes holds 12, the most that eight ranks of a grid can
  // share: (96 * 2 + 48 * 4) / 144 hops per byte.
  const auto tree = make_network("fat-tree:2;8,8;1,1;1,1", {});
  const auto guest = shuffled(unit_grid({4, 4, 4}), 5);
  for (const auto* mapper : {"bisection", "multilevel", "multisection"}) {
    INFO(mapper);
    CHECK(mapped(mapper, guest, *tree, tests::all_hosts(*tree)).mean_hops_per_byte ==
          Approx(8.0 / 3));
  }
}

TEST_CASE("A shuffled ring finds a ring of hosts") {
  const auto ring = make_network("torus:32", {});
  const auto guest = shuffled(unit_grid({32}, Periodicity::periodic), 6);
  CHECK(mapped("multilevel", guest, *ring, tests::all_hosts(*ring)).max_dilation == 1);
}

TEST_CASE("Coordinate bisection lays a grid onto its own shape and says what it needs") {
  const auto torus = make_network("torus:8x4x4", {});
  const Cartesian grid({{8}, {4}, {4}});
  const auto guest = unit_grid({8, 4, 4});
  CHECK(mapped("geometric", guest, *torus, tests::all_hosts(*torus), &grid).max_dilation == 1);
  const auto allocation = tests::all_hosts(*torus);
  CHECK(unsupported_reason({"geometric", {}}, {guest, *torus, allocation}) ==
        "needs a Cartesian grid as virtual topology");
  const auto tree = make_network("fat-tree:1;128;1;1", {});
  CHECK(unsupported_reason({"geometric", {}}, {guest, *tree, allocation, &grid}) ==
        "needs a torus or mesh network");
}

TEST_CASE("Reverse Cuthill-McKee lays a shuffled path along a mesh of one dimension") {
  const auto path = make_network("mesh:20", {});
  const auto guest = shuffled(unit_grid({20}), 7);
  CHECK(mapped("rcm", guest, *path, tests::all_hosts(*path)).max_dilation == 1);
}

TEST_CASE("Reverse Cuthill-McKee uses each host once where closeness is one-sided") {
  // Host 6 is closest to 4, which is closest to 3: a search must not come back to a host.
  const auto path = make_network("mesh:40", {});
  const auto allocation = make_allocation(*path, "list:6,0,1,4,10,18,3,33", std::vector{1}, 1);
  const auto guest = shuffled(unit_grid({8}), 9);
  CHECK_NOTHROW(mapped("rcm", guest, *path, allocation));
}

TEST_CASE("Quick bisections cut a grid across, and the effort is checked") {
  // Two hosts of eight slots take a half of 2 x 8 ranks each: two edges are cut, in both
  // directions, on the way over the 2 links of a switch.
  const CommGraph guest = make_comm_graph(parse_guest_topology("cart:2x8"), std::vector{Bytes{1}});
  const auto network = make_network("fat-tree:1;2;1;1", {});
  const Allocation allocation = tests::all_hosts(*network, 8);
  for (const std::string mapper : {"bisection", "multilevel", "multisection"}) {
    INFO(mapper);
    const MappingProblem problem{guest, *network, allocation, nullptr, 1};
    const Embedding embedding = run_mapper({mapper, {{"effort", "quick"}}}, problem);
    CHECK(evaluate(guest, *network, embedding).hop_bytes == Bytes{2 * 2 * 2});
    CHECK_THROWS_WITH(run_mapper({mapper, {{"effort", "some"}}}, problem),
                      Catch::Contains("effort=some") && Catch::Contains("full, quick"));
  }
}

TEST_CASE("Tree grouping keeps heavy pairs on a host and heavy fours below a switch") {
  // Ranks 2i and 2i+1 exchange 100 bytes, fours 10, the fours in a ring 1: names are shuffled.
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 16; ++r) {
    edges.push_back({Rank{r}, Rank{r ^ 1}, Bytes{100}});
    edges.push_back({Rank{r}, Rank{r ^ 2}, Bytes{10}});
    edges.push_back({Rank{r}, Rank{(r + 4) % 16}, Bytes{1}});
  }
  const auto tree = make_network("fat-tree:2;2,4;1,1;1,1", {});
  const auto guest = shuffled(CommGraph(16, edges), 8);
  // Hops: 0 within hosts, 2 * 160 bytes within switches, 4 * 16 bytes between them.
  CHECK(mapped("tree_grouping", guest, *tree, tests::all_hosts(*tree, 2)).hop_bytes.value == 384);
}

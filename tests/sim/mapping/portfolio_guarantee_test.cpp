#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/budget.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr int max_ranks = 12;

/// A random problem of a few ranks: a graph, or a grid with its halo.
struct RandomProblem {
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;
  std::optional<Cartesian> grid;
  std::string objective;

  explicit RandomProblem(std::uint64_t seed) : network(), allocation(), guest(), grid() {
    Random random(seed);
    const auto draw = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
    const char* const networks[] = {
        "torus:4x4", "mesh:3x5", "torus:2x2x4", "fat-tree:2;4,4;1,2;1,1", "dragonfly:3,1;2,1;2,1;2",
        "hyperx:3x4"};
    const char* const objectives[] = {
        "hop-bytes", "max-congestion", "max-dilation",    "max-dilation,hop-bytes",
        "jmax,jsum", "jsum",           "mean-congestion", "max-congestion,hop-bytes"};
    network = make_network(networks[draw(std::size(networks))], {});
    objective = objectives[draw(std::size(objectives))];
    const int slots = 1 + draw(2);
    allocation = make_allocation(*network, "all", std::vector{slots}, 1);
    if (draw(2) == 0) {
      const int rows = 2 + draw(3), columns = 2 + draw(2);
      guest = unit_grid({rows, columns});
      grid = Cartesian({{rows}, {columns}});
    } else {
      const int ranks = 4 + draw(max_ranks - 3);
      guest = drawn_graph(ranks, 3 * ranks, seed);
    }
  }

  MappingProblem problem() const {
    MappingProblem problem{guest, *network, allocation, grid ? &*grid : nullptr};
    problem.objective = parse_objective(objective);
    return problem;
  }
};

/// The least dilation and the largest traffic of a link that a portfolio finds under an objective.
Metrics found(const CommGraph& guest, const Cartesian& grid, const Network& network, int slots,
              const std::string& objective) {
  const auto all = make_allocation(network, "all", std::vector{slots}, 1);
  MappingProblem problem{guest, network, all, &grid};
  problem.objective = parse_objective(objective);
  return evaluate(guest, network, run_mapper({"portfolio", {}}, problem, {.steps = 1000}));
}

}  // namespace

TEST_CASE("A portfolio is never worse than any mapper alone with its objective and steps") {
  const SearchControl steps{.steps = 60};
  for (std::uint64_t seed = 1; seed <= tests::budget(40U, 200U); ++seed) {
    const RandomProblem given(seed);
    const auto problem = given.problem();
    const auto cost = [&](const std::string& mapper) {
      return cost_of(problem.objective, problem.guest, problem.network,
                     run_mapper({mapper, {}}, problem, steps));
    };
    const Cost portfolio = cost("portfolio");
    for (const MapperInfo& mapper : all_mappers()) {
      if (!mapper.self_contained || unsupported_reason({mapper.name, {}}, problem)) continue;
      INFO("problem " << seed << ", " << given.objective << ", " << mapper.name);
      const Cost alone = cost(mapper.name);
      // Sums in another order differ by rounding.
      for (std::size_t i = 0; i < alone.size(); ++i) {
        CHECK(portfolio[i] <= Approx(alone[i]));
        if (portfolio[i] != Approx(alone[i])) break;
      }
    }
  }
}

TEST_CASE("A portfolio folds grids to the dilation and the load that are known") {
  // 16x16x16 on a torus of 64x64: the fold of the periodic grid has dilation 4 and 5 messages on
  // its busiest link.
  const auto torus = make_torus({{{64}, {64}}, {}});
  const Cartesian cube({{16}, {16}, {16}});
  const CommGraph halo = unit_grid({16, 16, 16});
  CHECK(found(halo, cube, *torus, 1, "max-dilation").max_dilation <= 4);
  const Metrics loads = found(halo, cube, *torus, 1, "max-congestion");
  CHECK(loads.max_flows_per_link <= 5);
}

TEST_CASE("A portfolio bends rings on paths of hosts, whose steps are then two hops at most") {
  const auto mesh = make_network("mesh:16x16", {});
  const Cartesian rings({{16, Periodicity::periodic}, {16, Periodicity::periodic}});
  const CommGraph halo = unit_grid({16, 16}, Periodicity::periodic);
  CHECK(found(halo, rings, *mesh, 1, "max-dilation").max_dilation == 2);
}

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/random.hpp"

// Problems so small that all placements can be tried. The oracle places rank after rank on every
// host with a slot left and evaluates each placement anew.

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct FewRanks {
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;
};

void for_each_placement(int num_ranks, const Allocation& allocation,
                        const std::function<void(const Embedding&)>& visit) {
  std::vector<HostId> hosts;
  std::vector<int> left = allocation.slots;
  const std::function<void()> place = [&] {
    if (static_cast<int>(hosts.size()) == num_ranks) return visit({hosts, allocation});
    for (std::size_t h = 0; h < left.size(); ++h) {
      if (left[h] == 0) continue;
      --left[h];
      hosts.push_back(allocation.hosts[h]);
      place();
      hosts.pop_back();
      ++left[h];
    }
  };
  place();
}

/// Random, with volumes of whole bytes: sums are exact.
FewRanks few_ranks(std::uint64_t seed, int max_ranks) {
  Random random(seed);
  const auto draw = [&](std::uint64_t bound) { return static_cast<int>(random.below(bound)); };
  const char* const networks[] = {"torus:4x4", "mesh:3x3", "fat-tree:2;3,3;1,2;1,1",
                                  "dragonfly:3,1;2,1;2,1;1", "hyperx:3x3"};
  auto network = make_network(networks[draw(std::size(networks))], {});
  if (network->coordinates() && draw(2) == 0) {  // grids of two dimensions stay connected
    const std::string failed = "random:1:seed=" + std::to_string(seed);
    network = apply_edits(network, NetworkEdits{{failed}, {}, {}});
  }
  const int ranks = 2 + draw(static_cast<std::uint64_t>(max_ranks - 1));
  auto allocation = make_allocation(*network, "random:5:seed=" + std::to_string(seed),
                                    std::vector{1 + draw(2)}, 1);
  return {network, std::move(allocation), drawn_graph(ranks, 3 * ranks, seed)};
}

}  // namespace

TEST_CASE("Placements are counted as they are visited, each once") {
  const auto network = make_network("torus:5", {});
  for (const auto& slots :
       {std::vector{1}, std::vector{2}, std::vector{3, 1, 1, 2, 4}, std::vector{6}})
    for (const int ranks : {1, 2, 4, 5}) {
      const Allocation allocation = make_allocation(*network, "all", slots, 1);
      const CommGraph guest = drawn_graph(ranks, 2 * ranks, 1);
      CAPTURE(slots, ranks);
      int expected = 0;
      for_each_placement(ranks, allocation, [&](const Embedding&) { ++expected; });
      CHECK(count_placements(ranks, allocation) == Approx(expected));
      std::set<std::vector<HostId>> visited;
      int visits = 0;
      const MappingProblem problem{guest, *network, allocation};
      const Embedding start = run_mapper({"random", {}}, problem);
      visit_placements(problem, {}, {}, start, [&](const ObjectiveState& state) {
        visited.insert(state.occupancy().embedding().hosts());
        ++visits;
        if (visits % 17 == 0)
          REQUIRE(state.cost().front() ==
                  Approx(cost_of({}, guest, *network, state.occupancy().embedding()).front()));
      });
      CHECK(visits == expected);
      CHECK(static_cast<int>(visited.size()) == expected);
    }
  // 9! is above 100,000, 8! is not; 1 way for all ranks on one host.
  const auto nine = make_network("torus:9", {});
  const auto placements = [&](int ranks, const std::string& hosts, int slots) {
    return count_placements(ranks, make_allocation(*nine, hosts, std::vector{slots}, 1));
  };
  CHECK(placements(8, "first:8", 1) == Approx(40'320));
  CHECK(placements(9, "all", 1) > max_placements);
  CHECK(placements(1000, "first:1", 1000) == Approx(1));
  CHECK(placements(1000, "all", 1000) > max_placements);
}

TEST_CASE("A portfolio finds the best of few placements, tie-breaker included") {
  constexpr int most = 5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const FewRanks given = few_ranks(seed, most);
    for (const char* const objective :
         {"hop-bytes", "max-congestion,hop-bytes", "max-dilation,jmax,hop-bytes", "jsum"}) {
      CAPTURE(seed, objective, given.network->description());
      MappingProblem problem{given.guest, *given.network, given.allocation};
      problem.objective = parse_objective(objective);
      const auto cost = [&](const Embedding& embedding) {
        return cost_of(problem.objective, given.guest, *given.network, embedding);
      };
      Cost least{1e300};
      for_each_placement(given.guest.num_ranks(), given.allocation,
                         [&](const Embedding& all) { least = std::min(least, cost(all)); });
      const Cost found = cost(run_mapper({"portfolio", {}}, problem, {.steps = 10}));
      for (std::size_t i = 0; i < least.size(); ++i) REQUIRE(found[i] == Approx(least[i]));
    }
  }
}

TEST_CASE("Where time comes first, the fastest of few placements has the fewest hop-bytes") {
  constexpr int most = 3;
  for (std::uint64_t seed = 101; seed <= 110; ++seed) {
    const FewRanks given = few_ranks(seed, most);
    CAPTURE(seed, given.network->description());
    const auto cost = [&](const Embedding& embedding) {
      return Cost{simulate(given.guest, *given.network, embedding, {}).makespan.value,
                  cost_of({}, given.guest, *given.network, embedding).front()};
    };
    std::vector<Cost> costs;
    for_each_placement(given.guest.num_ranks(), given.allocation,
                       [&](const Embedding& all) { costs.push_back(cost(all)); });
    const Cost least = *std::min_element(costs.begin(), costs.end(), costs_less);
    MappingProblem problem{given.guest, *given.network, given.allocation};
    problem.objective = parse_objective("time");
    SearchControl control{.steps = 10};
    control.time.simulate = [&](const Embedding& embedding) {
      return std::optional(PredictedTime{{cost(embedding).front()}, {}, 1e-5});
    };
    const Cost found = cost(run_mapper({"portfolio", {}}, problem, control));
    REQUIRE(found[0] == Approx(least[0]));
    REQUIRE(found[1] == Approx(least[1]));
  }
}

TEST_CASE("Two ranks around failed links are next to each other if two hosts are") {
  auto network = make_network("torus:8", {});
  network = apply_edits(network, NetworkEdits{{"d0+:0->1", "d0-:1->0"}, {}, {}});
  const auto allocation = make_allocation(*network, "list:0,1,2,5,7", std::vector{1}, 1);
  const CommGraph guest(2, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, Bytes{1e6}}});
  MappingProblem problem{guest, *network, allocation};
  problem.objective = parse_objective("time");
  SearchControl control;
  control.time.simulate = [&](const Embedding&) {
    return std::optional(PredictedTime{{1}, {}, 1e-5});
  };
  const auto best = run_mapper({"portfolio", {}}, problem, control);
  // Hosts 0 and 1, the first two, are 7 hops apart now; 1 and 2, and 0 and 7, are neighbours.
  CHECK(evaluate(guest, *network, best).max_dilation == 1);
}

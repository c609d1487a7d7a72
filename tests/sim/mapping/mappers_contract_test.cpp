#include <catch2/catch.hpp>
#include <memory>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Problem with the values that it refers to.
struct Case {
  std::string name;
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;
  std::optional<Cartesian> grid = std::nullopt;

  MappingProblem problem(std::uint64_t seed = 1) const {
    return {guest, *network, allocation, grid ? &*grid : nullptr, seed};
  }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, std::shared_ptr<const Network> network,
                       std::string_view hosts, std::vector<int> slots, CommGraph guest) {
    auto allocation = make_allocation(*network, hosts, slots, 1);
    cases.push_back({name, std::move(network), std::move(allocation), std::move(guest)});
  };
  const auto torus = make_torus({{{4}, {4}}, {}});
  const auto ring = make_torus({{{5}}, {}});
  const auto one_way =
      std::make_shared<RingNetwork>(6, LinkProperties{{10}, {0}}, LinkProperties{{5}, {0}});
  add("grid on its torus", torus, "all", {1}, unit_grid({4, 4}, Periodicity::periodic));
  cases.back().grid = Cartesian(std::vector<Dimension>(2, {4, Periodicity::periodic}));
  add("several slots", ring, "all", {3}, unit_grid({3, 5}));
  cases.back().grid = Cartesian({{3}, {5}});
  add("free slots", torus, "all", {2}, drawn_graph(13, 60, 1));
  add("uneven slots on a part", torus, "list:15,0,6,9", {1, 4, 2, 3}, drawn_graph(9, 50, 2));
  add("full uneven slots", torus, "list:15,0,6,9", {1, 4, 2, 3}, drawn_graph(10, 70, 3));
  add("more slots than memory", ring, "all", {2147483647}, drawn_graph(7, 20, 4));
  add("hops by direction", one_way, "all", {1}, drawn_graph(6, 20, 5));
  add("no edges", ring, "all", {1}, CommGraph(4));
  add("one rank", ring, "block:3,1", {1}, drawn_graph(1, 2, 6));
  add("no ranks", ring, "all", {1}, CommGraph(0));
  add("no volume", ring, "all", {1},
      CommGraph(3, std::vector<DirectedEdge>{{Rank{0}, Rank{2}, {0}}}));
  return cases;
}

int ranks_elsewhere(const Embedding& a, const Embedding& b) {
  int count = 0;
  for (int r = 0; r < a.num_ranks(); ++r) count += a.host_of(Rank{r}) != b.host_of(Rank{r});
  return count;
}

/// Whether the mapper can map the problem; it must say why if not.
bool applies(const MapperInfo& info, const Case& given) {
  return !unsupported_reason({info.name, {}}, given.problem());
}

/// A budget that is soon spent, for mappers that have one.
SearchControl steps_for(const MapperInfo& info) {
  return {.steps = info.anytime ? std::optional<std::int64_t>(2000) : std::nullopt};
}

/// What the refiner lowers if nothing else is asked for.
double cost(const MapperInfo& info, const Case& given, const Embedding& embedding) {
  const Metrics metrics = evaluate(given.guest, *given.network, embedding);
  return info.name == "congestion" ? metrics.max_congestion.value : metrics.hop_bytes.value;
}

}  // namespace

TEST_CASE("Every mapper places every rank within the slots, the same way each time") {
  for (const Case& given : all_cases()) {
    for (const MapperInfo& info : all_mappers()) {
      INFO(info.name << ": " << given.name);
      if (!applies(info, given)) {
        CHECK_THROWS_AS(run_mapper({info.name, {}}, given.problem()), UsageError);
        continue;
      }
      const auto embedding = run_mapper({info.name, {}}, given.problem(), steps_for(info));
      CHECK(embedding.num_ranks() == given.guest.num_ranks());
      // The constructor refuses hosts outside the allocation and more ranks than slots.
      CHECK_NOTHROW(Embedding(embedding.hosts(), given.allocation));
      CHECK(run_mapper({info.name, {}}, given.problem(), steps_for(info)) == embedding);
      const auto bounds = lower_bounds(given.guest, *given.network, given.allocation);
      const auto metrics = evaluate(given.guest, *given.network, embedding);
      CHECK(bounds.hop_bytes <= metrics.hop_bytes);
      CHECK(bounds.congestion.value <= metrics.max_congestion.value * (1 + 1e-12));
    }
  }
}

TEST_CASE("The seed matters to mappers that say so only") {
  for (const Case& given : all_cases())
    for (const MapperInfo& info : all_mappers()) {
      if (info.uses_seed || !applies(info, given)) continue;
      INFO(info.name << ": " << given.name);
      CHECK(run_mapper({info.name, {}}, given.problem(1)) ==
            run_mapper({info.name, {}}, given.problem(2)));
    }
  const Case grid = all_cases().front();
  CHECK(run_mapper({"random", {}}, grid.problem(1)) != run_mapper({"random", {}}, grid.problem(2)));
}

TEST_CASE("Every mapper refuses ranks that do not fit") {
  const auto ring = make_torus({{{3}}, {}});
  const auto allocation = make_allocation(*ring, "all", std::vector{1}, 1);
  const CommGraph guest(4);
  for (const MapperInfo& info : all_mappers())
    CHECK_THROWS_AS(run_mapper({info.name, {}}, {guest, *ring, allocation}), FitError);
}

TEST_CASE("A refiner is never worse than its start and keeps to its budget") {
  for (const Case& given : all_cases())
    for (const MapperInfo& info : all_mappers()) {
      if (!is_refiner(info)) continue;
      for (const auto start : {"block", "greedy", "random", "round_robin"}) {
        INFO(info.name << " from " << start << ": " << given.name);
        const MapperSpec spec{info.name, {{"start", start}}};
        const auto before = run_mapper({start, {}}, given.problem());
        CHECK(cost(info, given, run_mapper(spec, given.problem(), steps_for(info))) <=
              cost(info, given, before));
        for (const int steps : {0, 1, 3}) {
          const auto after = run_mapper(spec, given.problem(), {.steps = steps});
          CHECK(ranks_elsewhere(before, after) <= 2 * steps);
          CHECK(cost(info, given, after) <= cost(info, given, before));
        }
      }
    }
}

TEST_CASE("Exchange with enough steps ends where it ends without a limit") {
  const Case given = all_cases()[2];
  CHECK(run_mapper({"exchange", {}}, given.problem(), {.steps = 1'000'000}) ==
        run_mapper({"exchange", {}}, given.problem()));
}

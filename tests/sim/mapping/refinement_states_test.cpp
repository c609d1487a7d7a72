#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "sim/mapping/search/robust_tabu.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Random changes, all probed, some committed, some rejected: after each the figures are those of a
/// full evaluation.
template <class State, class Check>
void check_drawn_changes(const MappingProblem& problem, State& state, Check&& check) {
  ChangeDraw draw(problem, state.partners(), state.table(), state.occupancy());
  int committed = 0;
  for (int i = 0; i < 150; ++i) {
    const auto change = draw.next();
    if (!change) continue;
    const Embedding before = state.occupancy().embedding();
    const double energy = state.energy();
    const double delta = state.probe(*change);
    if (draw.below(2) == 0) {
      state.reject();
      CHECK(state.occupancy().embedding() == before);
      CHECK(state.energy() == energy);
    } else {
      state.commit();
      CHECK(state.energy() == Approx(energy + delta));
      ++committed;
    }
    check(state.occupancy().embedding());
  }
  CHECK(committed > 20);
}

void check_states(const MappingProblem& problem) {
  const Embedding start = run_mapper({"random", {}}, problem);
  // Hop-bytes alone are summed without the loads of links.
  CHECK(cost_of(Objective{}, problem.guest, problem.network, start).front() ==
        Approx(evaluate(problem.guest, problem.network, start).hop_bytes.value));
  if (!problem.network.splits_flows()) {
    const Partners partners(problem.guest);
    const HopTable table(problem.network, problem.allocation);
    HopBytesState hops(partners, table, problem.allocation, start);
    // Whole volumes: no rounding.
    check_drawn_changes(problem, hops, [&](const Embedding& embedding) {
      CHECK(hops.energy() == evaluate(problem.guest, problem.network, embedding).hop_bytes.value);
    });
  }
  for (const auto text : {"hop-bytes", "max-congestion", "max-dilation,jsum", "jmax,hop-bytes",
                          "3*jsum+max-congestion,jmax+max-dilation", "mean-congestion",
                          "max-congestion+2*mean-congestion,jmax"}) {
    const Objective objective = parse_objective(text);
    ObjectiveState state(problem, start, objective);
    check_drawn_changes(problem, state, [&](const Embedding& embedding) {
      const Cost expected = cost_of(objective, problem.guest, problem.network, embedding);
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(state.cost()[i] == Approx(expected[i]));
    });
  }
}

SquareMatrix drawn_matrix(std::size_t size, bool symmetric, std::uint64_t seed) {
  Random random(seed);
  SquareMatrix matrix(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      matrix.row(i)[j] = static_cast<double>(random.below(10));
      matrix.row(j)[i] = symmetric ? matrix.row(i)[j] : static_cast<double>(random.below(10));
    }
  return matrix;
}

double cost_of_slots(const AssignmentProblem& problem, const std::vector<int>& slots) {
  double cost = 0;
  for (std::size_t i = 0; i < slots.size(); ++i)
    for (std::size_t j = 0; j < slots.size(); ++j)
      cost += problem.flows.row(i)[j] *
              problem.distances.row(static_cast<std::size_t>(slots[i]))[slots[j]];
  return cost;
}

}  // namespace

TEST_CASE("What refiners know of an embedding equals a full evaluation after every change") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  const auto guest = drawn_graph(9, 40, seed);
  const auto torus = make_torus({{{3}, {4, false}}, {}});
  const auto split = make_torus({{{4}, {4}}, {}, {Routing::split}});
  const RingNetwork ring(7, {{10}, {0}}, {{5}, {0}, LinkSharing::fatpipe});
  const auto some = make_allocation(*torus, "random:10", std::vector{1}, seed);
  const auto few = make_allocation(*torus, "spaced:5", std::vector{3}, seed);
  const auto all = make_allocation(ring, "all", std::vector{2}, seed);
  const auto halves = make_allocation(*split, "all", std::vector{1}, seed);
  check_states({guest, *torus, some, nullptr, seed});
  check_states({guest, *torus, few, nullptr, seed});
  check_states({guest, ring, all, nullptr, seed});
  check_states({guest, *split, halves, nullptr, seed});
}

namespace {

/// Every exchange and every move, predicted and evaluated anew. Whole volumes: no rounding.
void check_all_changes(const CommGraph& guest, const Network& network,
                       const Allocation& allocation) {
  const Embedding start = run_mapper({"random", {}}, {guest, network, allocation});
  const Partners partners(guest);
  const HopTable table(network, allocation);
  HopBytesState state(partners, table, allocation, start);
  const double before = evaluate(guest, network, start).hop_bytes.value;
  CHECK(state.energy() == before);
  CHECK(state.occupancy().embedding() == start);
  const auto check = [&](const RankChange& change) {
    Occupancy changed = state.occupancy();
    changed.apply(change);
    const double delta = state.probe(change);
    CHECK(before + delta == evaluate(guest, network, changed.embedding()).hop_bytes.value);
    CHECK(state.improves() == (delta < 0));
    state.reject();
  };
  for (int a = 0; a < guest.num_ranks(); ++a) {
    for (int b = 0; b < guest.num_ranks(); ++b)
      if (const Place there = state.occupancy().place_of(Rank{b});
          there != state.occupancy().place_of(Rank{a}))
        check({Rank{a}, Rank{b}, there});
    for (int p = 0; p < allocation.num_hosts(); ++p)
      if (state.occupancy().has_free_slot(Place{p})) check({Rank{a}, std::nullopt, Place{p}});
  }
}

}  // namespace

TEST_CASE("The gain of an exchange or a move equals a full evaluation") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{5}));
  const auto guest = drawn_graph(9, 40, seed);
  const auto torus = make_torus({{{3}, {4, false}}, {}});
  const RingNetwork ring(7, {{10}, {0}}, {{5}, {0}});
  check_all_changes(guest, *torus, make_allocation(*torus, "random:10", std::vector{1}, seed));
  check_all_changes(guest, *torus, make_allocation(*torus, "spaced:5", std::vector{3}, seed));
  check_all_changes(guest, ring, make_allocation(ring, "all", std::vector{2}, seed));
}

TEST_CASE("Robust tabu keeps what every exchange would change, symmetric or not") {
  const bool symmetric = GENERATE(true, false);
  constexpr std::size_t size = 9;
  AssignmentProblem problem;
  problem.flows = drawn_matrix(size, symmetric, 1);
  problem.distances = drawn_matrix(size, symmetric, 2);
  for (std::size_t i = 0; i < size; ++i) {
    problem.flows.row(i)[size - 1] = problem.flows.row(size - 1)[i] = 0;  // a free slot
    problem.places.push_back(static_cast<int>(i));
  }
  problem.num_real = size - 1;
  std::vector<int> slots{3, 1, 4, 0, 5, 8, 2, 6, 7};
  RobustTabu search(problem, slots, 1);
  for (int step = 0; step < 40; ++step) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) {
        auto exchanged = search.slots();
        std::swap(exchanged[i], exchanged[j]);
        CHECK(search.cost() + search.change(i, j) == cost_of_slots(problem, exchanged));
      }
    REQUIRE(search.step());
  }
  CHECK(search.best_cost() == cost_of_slots(problem, search.best_slots()));
  CHECK(search.best_cost() <= search.cost());
}

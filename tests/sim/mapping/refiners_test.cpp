#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/qaplib.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::vector<std::string> refiners{"annealing", "congestion", "exchange", "tabu"};

/// Flows between every two ranks with a random volume.
CommGraph drawn_dense(int num_ranks, std::uint64_t seed) {
  Random random(seed);
  std::vector<DirectedEdge> edges;
  for (int i = 0; i < num_ranks; ++i)
    for (int j = 0; j < num_ranks; ++j)
      if (i != j) edges.push_back({Rank{i}, Rank{j}, {static_cast<double>(random.below(10))}});
  return CommGraph(num_ranks, edges);
}

}  // namespace

TEST_CASE("Tabu search reaches the proven optima of QAPLIB's meshes") {
  struct Instance {
    std::string name;
    std::vector<int> mesh;  ///< first dimension fastest
    double optimum;         ///< QAPLIB: over ordered pairs
  };
  const auto instance = GENERATE(values<Instance>({{"nug12", {4, 3}, 578},
                                                   {"nug15", {5, 3}, 1150},
                                                   {"nug20", {5, 4}, 2570},
                                                   {"nug25", {5, 5}, 3744},
                                                   {"nug30", {6, 5}, 6124}}));
  const auto guest = qaplib_flows(instance.name);
  if (!guest) {
    WARN("left out: no QAPLIB data (VTOPO_QAPLIB names their folder)");
    return;
  }
  const auto mesh = make_torus({{{instance.mesh[0], false}, {instance.mesh[1], false}}, {}});
  const auto all = tests::all_hosts(*mesh);
  MappingProblem problem{*guest, *mesh, all};
  const auto embedding = run_mapper({"tabu", {}}, problem);
  INFO(instance.name);
  CHECK(evaluate(*guest, *mesh, embedding).hop_bytes.value == instance.optimum);
}

TEST_CASE("Searches report better and better values, the last that of the embedding") {
  const auto torus = make_torus({{{4, true}, {4, true}}, {}});
  const auto all = tests::all_hosts(*torus);
  const CommGraph guest = drawn_dense(16, 3);
  const auto mapper = GENERATE("exchange", "annealing", "tabu", "portfolio");
  const auto objective = GENERATE("hop-bytes", "max-congestion");
  CAPTURE(mapper, objective);
  MappingProblem problem{guest, *torus, all};
  problem.objective = parse_objective(objective);
  std::vector<std::pair<double, std::int64_t>> reported;
  SearchControl control{.steps = 3000};
  control.improved = [&](double value, std::int64_t steps) { reported.emplace_back(value, steps); };
  const Embedding found = run_mapper({mapper, {}}, problem, control);
  REQUIRE(reported.size() > 1);
  for (std::size_t i = 1; i < reported.size(); ++i) {
    CHECK(reported[i].first <= reported[i - 1].first * (1 + 1e-12));  // sums round
    CHECK(reported[i].second >= reported[i - 1].second);
  }
  const double value = first_measure(problem.objective).value(evaluate(guest, *torus, found));
  CHECK(reported.back().first == Approx(value));
}

TEST_CASE("Tabu search and annealing find the optimum of small problems") {
  // Brute force over the 7! embeddings of each.
  const auto mesh = make_torus({{{7, false}}, {}});
  const auto all = tests::all_hosts(*mesh);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto guest = drawn_dense(7, seed);
    std::vector<HostId> hosts = all.hosts;
    double least = evaluate(guest, *mesh, Embedding(hosts, all)).hop_bytes.value;
    while (std::next_permutation(hosts.begin(), hosts.end()))
      least = std::min(least, evaluate(guest, *mesh, Embedding(hosts, all)).hop_bytes.value);
    for (const auto mapper : {"tabu", "annealing"}) {
      INFO(mapper << " seed " << seed);
      const auto found = run_mapper({mapper, {}}, {guest, *mesh, all}, {.steps = 5000});
      CHECK(evaluate(guest, *mesh, found).hop_bytes.value == least);
    }
  }
}

TEST_CASE("Refiners lower what the objective asks for and never raise it") {
  const auto torus = make_torus({{{4}, {4}}, {}});
  const auto slots = GENERATE(1, 2);
  const auto all = tests::all_hosts(*torus, slots);
  const auto guest = drawn_graph(16, 60, 3);
  for (const std::string& mapper : refiners)
    for (const auto text : {"max-congestion", "max-dilation", "jsum", "jmax", "jmax,hop-bytes",
                            "2*max-dilation+jsum,max-congestion"}) {
      INFO(mapper << " under " << text);
      MappingProblem problem{guest, *torus, all};
      problem.objective = parse_objective(text);
      const auto start = run_mapper({"random", {}}, problem);
      const auto after = run_mapper({mapper, {{"start", "random"}}}, problem);
      // The mapper congestion lowers the largest congestion whatever the objective.
      const Objective lowered =
          mapper == "congestion" ? parse_objective("max-congestion") : problem.objective;
      const Cost before = cost_of(lowered, guest, *torus, start);
      CHECK(cost_of(lowered, guest, *torus, after) <= before);
      if (std::string_view(text) == "max-congestion")
        CHECK(cost_of(lowered, guest, *torus, after) < before);
    }
}

TEST_CASE("A refiner that is out of time or told to stop returns its start") {
  const auto torus = make_torus({{{4}, {4}}, {}});
  const auto all = tests::all_hosts(*torus);
  const auto guest = drawn_graph(16, 60, 3);
  const std::atomic<bool> stop = true;
  for (const std::string& mapper : refiners) {
    INFO(mapper);
    const MapperSpec spec{mapper, {{"start", "random"}}};
    MappingProblem problem{guest, *torus, all};
    const auto start = run_mapper({"random", {}}, problem);
    CHECK(run_mapper(spec, problem) != start);
    CHECK(run_mapper(spec, problem, {.stop = &stop}) == start);
    CHECK(run_mapper(spec, problem, {.deadline = SearchControl::Clock::now()}) == start);
    CHECK(find_mapper(mapper).anytime);
  }
}

TEST_CASE("Congestion refinement takes flows off the most loaded link, by hand") {
  // Ranks 0 and 3, 1 and 2 exchange one unit each on a path of 4 hosts: block makes the middle
  // links carry both, 2 each way; no embedding of two disjoint pairs needs more than 1.
  const auto path = make_torus({{{4, false}}, {}});
  const auto all = tests::all_hosts(*path);
  std::vector<DirectedEdge> edges;
  for (const auto& [a, b] : {std::pair(0, 3), std::pair(1, 2)}) {
    edges.push_back({Rank{a}, Rank{b}, {1}});
    edges.push_back({Rank{b}, Rank{a}, {1}});
  }
  const CommGraph guest(4, edges);
  const auto block = run_mapper({"block", {}}, {guest, *path, all});
  CHECK(evaluate(guest, *path, block).max_link_load == Bytes{2});
  const auto relieved = run_mapper({"congestion", {{"start", "block"}}}, {guest, *path, all});
  CHECK(evaluate(guest, *path, relieved).max_link_load == Bytes{1});
}

TEST_CASE("Congestion refinement takes a scattered grid to within twice the least possible load") {
  // Where neighbours sit side by side, each link carries one flow, and none can carry less.
  const auto mesh = make_torus({{{5, false}, {4, false}}, {}});
  const auto all = tests::all_hosts(*mesh);
  const CommGraph guest = unit_grid({4, 5});
  const MappingProblem problem{guest, *mesh, all};
  const SearchControl control{.steps = 60000};
  const auto relieved = run_mapper({"congestion", {{"start", "random"}}}, problem, control);
  CHECK(evaluate(guest, *mesh, relieved).max_link_load.value <= 2);
  CHECK(run_mapper({"congestion", {{"start", "random"}}}, problem, control) == relieved);
}

TEST_CASE("Congestion refinement never raises the largest congestion, whatever the routes") {
  const auto rule = GENERATE(Routing::automatic, Routing::simgrid, Routing::positive,
                             Routing::split, Routing::ecmp, Routing::valiant);
  const auto torus =
      make_torus({{{4, true, {BytesPerSecond{1e9}, {}}}, {4}, {2, false}}, {}, {rule}});
  const auto all = tests::all_hosts(*torus);
  const auto guest = drawn_graph(30, 120, 11);
  const Objective lowered = parse_objective("max-congestion,hop-bytes");
  for (const auto start : {"block", "greedy", "bisection"}) {
    const MappingProblem problem{guest, *torus, all};
    const auto relieved = run_mapper({"congestion", {{"start", start}}}, problem, {.steps = 2000});
    CHECK(cost_of(lowered, guest, *torus, relieved) <
          cost_of(lowered, guest, *torus, run_mapper({start, {}}, problem)));
  }
}

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Problem with the values that it refers to.
struct PortfolioCase {
  std::string name;
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;
  std::optional<Cartesian> grid = std::nullopt;

  MappingProblem problem(std::string_view objective = "hop-bytes") const {
    MappingProblem problem{guest, *network, allocation, grid ? &*grid : nullptr};
    problem.objective = parse_objective(objective);
    return problem;
  }
};

std::vector<PortfolioCase> portfolio_cases() {
  std::vector<PortfolioCase> list;
  const auto add = [&](const std::string& name, std::shared_ptr<const Network> network, int slots,
                       CommGraph guest, std::optional<Cartesian> grid = std::nullopt) {
    auto all = make_allocation(*network, "all", std::vector{slots}, 1);
    list.push_back({name, std::move(network), std::move(all), std::move(guest), std::move(grid)});
  };
  add("grid on a torus", make_torus({{{4}, {4}}, {}}), 1, unit_grid({2, 8}), Cartesian({{2}, {8}}));
  add("grid with several slots", make_torus({{{6}}, {}}), 4, unit_grid({4, 6}),
      Cartesian({{4}, {6}}));
  add("graph with free slots", make_torus({{{3}, {3}}, {}}), 2, drawn_graph(13, 60, 1));
  return list;
}

const SearchControl some_steps{.steps = 3000};

Cost cost(const MappingProblem& problem, const Embedding& embedding) {
  return cost_of(problem.objective, problem.guest, problem.network, embedding);
}

}  // namespace

TEST_CASE("A portfolio is never worse than a member under any objective") {
  for (const PortfolioCase& given : portfolio_cases())
    for (const auto objective :
         {"hop-bytes", "max-congestion", "max-dilation,hop-bytes", "jsum", "jmax,2*jsum"}) {
      const auto problem = given.problem(objective);
      for (const auto refine : {"yes", "no"}) {
        const MapperSpec spec{"portfolio", {{"refine", refine}}};
        const Cost found = cost(problem, run_mapper(spec, problem, some_steps));
        for (const auto& member : portfolio_members(problem, some_steps, "auto")) {
          INFO(given.name << ", " << objective << ", " << member.name);
          CHECK(found <= cost(problem, run_mapper({member.name, {}}, problem, some_steps)));
        }
      }
    }
}

TEST_CASE("A portfolio under steps gives the same on any number of threads") {
  for (const PortfolioCase& given : portfolio_cases()) {
    const auto problem = given.problem("max-congestion,hop-bytes");
    const auto expected = run_mapper({"portfolio", {}}, problem, some_steps);
    for (const int threads : {2, 3, 7}) {
      INFO(given.name << ", " << threads << " threads");
      CHECK(run_mapper({"portfolio", {}}, problem, {.steps = 3000, .threads = threads}) ==
            expected);
    }
  }
}

TEST_CASE("A portfolio has an answer when the time is up or somebody says stop") {
  const PortfolioCase given = portfolio_cases()[0];
  // Valid by the constructor of Embedding; block is the quickest member.
  const auto block = run_mapper({"block", {}}, given.problem());
  const SearchControl late{.deadline = SearchControl::Clock::now()};
  CHECK(run_mapper({"portfolio", {}}, given.problem(), late) == block);
  const std::atomic<bool> stop = true;
  const SearchControl stopped{.steps = 3000, .stop = &stop};
  CHECK(run_mapper({"portfolio", {}}, given.problem(), stopped) == block);
}

// Half of the second task's time is more than an eighth of it, a thousandth is less.
TEST_CASE("A pool knows which tasks would do more in a longer time") {
  const PortfolioCase given = portfolio_cases()[0];
  const auto problem = given.problem();
  SearchControl control;
  CandidatePool pool(problem, control);
  const auto taking = [&](std::string name, std::chrono::milliseconds time) {
    return PortfolioTask{std::move(name), 0, 0, PortfolioTask::Time::run, [&problem, time](auto) {
                           std::this_thread::sleep_for(time);
                           return run_mapper({"block", {}}, problem);
                         }};
  };
  const auto run = [&](const PortfolioTask& task, std::optional<std::chrono::seconds> left) {
    if (left) control.deadline = SearchControl::Clock::now() + *left;
    pool.run(std::span(&task, 1), control.deadline, 0, 1);
  };
  using namespace std::chrono_literals;
  CHECK_FALSE(pool.has_ended("without a deadline", false));
  run(taking("without a deadline", 1ms), std::nullopt);
  CHECK(pool.has_ended("without a deadline", true));
  run(taking("cut short", 500ms), 1s);
  CHECK(pool.has_ended("cut short", false));
  CHECK_FALSE(pool.has_ended("cut short", true));
  run(taking("cut short", 1ms), 1000s);
  CHECK(pool.has_ended("cut short", true));
}

TEST_CASE("A portfolio runs the members that are named, and says who won") {
  const PortfolioCase given = portfolio_cases()[0];
  SearchControl control = some_steps;
  std::string remark;
  control.remark = [&](const std::string& text) { remark = text; };
  const MapperSpec spec{"portfolio", {{"members", "random+snake"}, {"refine", "no"}}};
  CHECK(run_mapper(spec, given.problem(), control) == run_mapper({"snake", {}}, given.problem()));
  CHECK(remark == "portfolio: snake (2 placements tried)");
}

TEST_CASE("A portfolio refuses what it cannot run") {
  const PortfolioCase graph = portfolio_cases()[2];
  const auto refused = [&](const std::string& option, const std::string& value) {
    CHECK_THROWS_AS(run_mapper({"portfolio", {{option, value}}}, graph.problem(), some_steps),
                    UsageError);
  };
  refused("members", "");
  refused("members", "block+nobody");
  refused("members", "portfolio");
  refused("members", "gray+block");  // needs a grid or a hypercube
  refused("members", "file");        // needs a path
  refused("refine", "maybe");
  CHECK_THROWS_AS(run_mapper({"portfolio", {}}, graph.problem("simulated-time")), UsageError);
}

TEST_CASE("Refiners and what comes from outside are no members by themselves") {
  for (const auto& member : portfolio_members(portfolio_cases()[0].problem(), {}, "auto"))
    for (const auto name :
         {"annealing", "congestion", "exchange", "external", "file", "portfolio", "scotch", "tabu"})
      CHECK(member.name != name);
}

TEST_CASE("A portfolio keeps the optimum of a hypercube on its torus") {
  // heuristics of hypercube traffic: a cycle of 8 = 2^3 carries 3*2^3 - 2^2 = 20 hops over
  // undirected edges; two of them, each 8 times: 320 (arXiv 2108.08177).
  const auto torus = make_torus({{{8}, {8}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 64; ++r)
    for (int bit = 1; bit < 64; bit *= 2) edges.push_back({Rank{r}, Rank{r ^ bit}, {1}});
  const CommGraph guest(64, edges);
  const auto found = run_mapper({"portfolio", {}}, {guest, *torus, all}, {.steps = 1000});
  CHECK(evaluate(guest, *torus, found).hop_bytes.value == 2 * 320);
}

TEST_CASE("A portfolio ends with the first member that no embedding can beat") {
  // 16 ranks of a 4x4 torus in order, on itself: block has one hop per edge, and the only flow of a
  // link is one edge, which is the bound of both sums.
  const auto torus = make_torus({{{4}, {4}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const CommGraph guest = unit_grid({4, 4}, Periodicity::periodic);
  for (const auto objective : {"hop-bytes", "max-congestion,hop-bytes", "max-dilation",
                               "mean-congestion", "2*hop-bytes+max-congestion"}) {
    MappingProblem problem{guest, *torus, all};
    problem.objective = parse_objective(objective);
    for (const int threads : {1, 3}) {
      SearchControl control{.threads = threads};
      std::string remark;
      control.remark = [&](const std::string& text) { remark = text; };
      INFO(objective << ", " << threads << " threads");
      CHECK(run_mapper({"portfolio", {}}, problem, control) == run_mapper({"block", {}}, problem));
      CHECK(remark == "portfolio: block (1 placement tried)");
    }
  }
}

TEST_CASE("Large problems leave out what their budget has no time for, bisection last") {
  const auto names = [](int ranks) {
    const auto torus = make_torus({{{ranks}}, {}});
    const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
    const CommGraph guest(ranks);
    std::string text;
    for (const auto& member : portfolio_members({guest, *torus, all}, {}, "auto"))
      text += " " + member.name + " ";
    return text;
  };
  const std::string few = names(100), many = names(200'000);
  for (const auto member : {" multilevel ", " multisection ", " bisection ", " block "})
    CHECK(few.find(member) != std::string::npos);
  for (const auto member : {" bisection ", " block "})
    CHECK(many.find(member) != std::string::npos);
  CHECK(many.find(" multisection ") == std::string::npos);
}

TEST_CASE("Where time is short the mainstay waits for quicker mappers if the guest has hubs") {
  const int ranks = 4096;
  const auto torus = make_network("torus:16x16x16", {});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto turn_of_mainstay = [&](int hubs) {
    std::vector<DirectedEdge> edges;
    for (int r = 0; r < ranks; ++r)
      for (int i = 1; i <= 8; ++i) {
        const int to = i <= hubs ? i : (r + i) % ranks;
        if (to != r) edges.push_back({Rank{r}, Rank{to}, {1}});
      }
    const CommGraph guest(ranks, edges);
    CHECK(has_hubs(guest) == (hubs > 0));
    SearchControl control;
    control.deadline = SearchControl::Clock::now() + std::chrono::seconds(1);
    const auto members = portfolio_members({guest, *torus, all}, control, "auto");
    std::size_t turn = 0;
    while (!members.at(turn).is_mainstay) ++turn;
    for (std::size_t m = 0; m < turn; ++m) CHECK(members[m].seconds < members[turn].seconds);
    return turn;
  };
  CHECK(turn_of_mainstay(4) > turn_of_mainstay(0));
}

// By the estimates of the table: half of 6.3 s is the share of the members, `multilevel` takes 6.7
// s, `multisection` 3.9 s and at least half of it.
TEST_CASE("Where ranks share hosts, a portfolio without time for multilevel has multisection") {
  const auto tree = make_network("tree:4:8:8@1:10:100", {});
  const int ranks = 16384;
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < ranks; ++r)
    for (int i = 1; i <= 8; ++i) edges.push_back({Rank{r}, Rank{(r + i) % ranks}, {1}});
  const CommGraph guest(ranks, edges);
  const auto all = make_allocation(*tree, "all", std::vector{66}, 1);
  const auto members = portfolio_members({guest, *tree, all}, {}, "auto");
  const auto has = [&](const std::string& name) {
    return std::any_of(members.begin(), members.end(),
                       [&](const auto& member) { return member.name == name; });
  };
  CHECK_FALSE(has("multilevel"));
  CHECK(has("multisection"));
}

// Ranks r and r + 4096 exchange 100, neighbours in a ring of 4096 1: block cuts all heavy edges, a
// partition that sees them has them on one host each.
TEST_CASE("Where many ranks share hosts a portfolio has a whole partition, whatever the limit") {
  const auto tree = make_network("tree:4:8@1:10", {});
  const int ranks = 8192, half = ranks / 2;
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < half; ++r) {
    edges.push_back({Rank{r}, Rank{r + half}, {100}});
    edges.push_back({Rank{r}, Rank{(r + 1) % half}, {1}});
  }
  const CommGraph guest(ranks, edges);
  const auto all = make_allocation(*tree, "all", std::vector{264}, 1);
  const MappingProblem problem{guest, *tree, all};
  SearchControl control;
  control.deadline = SearchControl::Clock::now() - std::chrono::seconds(1);
  CHECK(portfolio_members(problem, control, "auto").front().name == "multisection");
  const auto cost_by = [&](const MapperSpec& mapper) {
    return cost(problem, run_mapper(mapper, problem, control)).front();
  };
  CHECK(cost_by({"portfolio", {}}) < 0.1 * cost_by({"block", {}}));
}

TEST_CASE("A portfolio goes by simulated time where it has a simulator") {
  const PortfolioCase given = portfolio_cases()[2];
  const auto problem = given.problem("simulated-time");
  SearchControl control{.steps = 20, .threads = 2};
  const auto time_of = [&](const Embedding& embedding) {
    return simulate(given.guest, *given.network, embedding, {}).makespan;
  };
  control.time.simulate = [&](const Embedding& embedding) {
    return std::optional(PredictedTime{time_of(embedding), {}, 0.001});
  };
  const MapperSpec spec{"portfolio", {{"members", "block+random+greedy"}}};
  const auto best = run_mapper(spec, problem, control);
  for (const auto member : {"block", "random", "greedy"})
    CHECK(time_of(best) <= time_of(run_mapper({member, {}}, problem)));
  control.threads = 1;
  CHECK(run_mapper(spec, problem, control) == best);
}

TEST_CASE(
    "A portfolio that looks at time is not slower than the order given, whatever it searched") {
  const PortfolioCase given = portfolio_cases()[2];
  const auto problem = given.problem("time");
  // A clock that knows one good embedding: the one given.
  const auto order = run_mapper({"random", {}}, problem);
  SearchControl control{.steps = 200, .start = &order};
  control.time.simulate = [&](const Embedding& embedding) {
    return std::optional(PredictedTime{{embedding == order ? 1.0 : 2.0}, {}, 0.001});
  };
  CHECK(run_mapper({"portfolio", {}}, problem, control) == order);
  // Without a clock the static part of the objective counts, and the order given is as good a
  // candidate as any.
  control.time = {};
  CHECK(cost(problem, run_mapper({"portfolio", {}}, problem, control)) <= cost(problem, order));
}

TEST_CASE("At equal times a portfolio prefers fewer hop-bytes") {
  const PortfolioCase given = portfolio_cases()[0];
  SearchControl control = some_steps;
  control.time.simulate = [](const Embedding&) {
    return std::optional(PredictedTime{{1}, {}, 0.001});
  };
  const auto found = run_mapper({"portfolio", {}}, given.problem("time"), control);
  for (const auto member : {"block", "snake", "random"})
    CHECK(cost(given.problem("hop-bytes"), found) <=
          cost(given.problem("hop-bytes"), run_mapper({member, {}}, given.problem())));
}

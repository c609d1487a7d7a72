#include "sim/run/sensitivity.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/evaluation/metrics.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/load_network.hpp"
#include "sim/run/plan.hpp"
#include "topology/base/error.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

constexpr double mebibyte = 1 << 20;

/// A machine with two placements of two ranks that talk, and the answer of the report on them.
struct Planted {
  Scenario scenario;
  Experiment experiment;
  std::vector<Embedding> embeddings;
  Report report;

  /// @param hosts of ranks 0 and 1 in each row.
  Planted(const std::string& network, Bytes volume, std::optional<Seconds> latency,
          const std::vector<std::array<int, 2>>& hosts) {
    scenario.network = network;
    if (latency) scenario.latency = fmt::format("{}s", latency->value);
    scenario.sensitivity = "20%";
    Observer nobody;
    experiment.network = load_network(scenario, nobody).network;
    experiment.allocation = make_allocation(*experiment.network, "all", std::array{1}, 1);
    const DirectedEdge edge{Rank{0}, Rank{1}, volume};
    experiment.guest = CommGraph(2, {&edge, 1});
    for (const auto& [first, second] : hosts) {
      embeddings.push_back(Embedding({HostId{first}, HostId{second}}, experiment.allocation));
      Row row;
      row.mapper = fmt::format("row {}", report.rows.size());
      row.metrics = evaluate(experiment.guest, *experiment.network, embeddings.back());
      if (latency)
        row.simulation = simulate(experiment.guest, *experiment.network, embeddings.back(),
                                  {.solver = Solver::fast});
      report.rows.push_back(row);
    }
    report.verdict = decide(report);
  }

  Sensitivity answer() const {
    Observer nobody;
    const RunPlan plan{{},
                       scenario,
                       mapping_of(scenario),
                       network_source(scenario),
                       {default_objective(), budget_of(scenario), clock_of(scenario).how},
                       experiment};
    return sensitivity_of(0.2, plan, {report, embeddings}, nobody).value();
  }

  std::string link(int from, int to) const {
    std::vector<LinkId> route;
    experiment.network->append_route(HostId{from}, HostId{to}, route);
    return experiment.network->link_name(route.front());
  }

  std::string kind(std::size_t k) const { return experiment.network->link_classes()[k].name; }
};

/// Whether the answer has the variation as one that changes the order, by this link and ranks 0, 1.
bool names(const Sensitivity& answer, const std::string& what, const std::string& change,
           const std::string& link) {
  for (const VerdictVariation& variation : answer.variations)
    if (variation.what == what && variation.change == change)
      return variation.rival_wins() && variation.link == link && variation.ranks.size() == 1 &&
             variation.ranks.front() == std::pair(Rank{0}, Rank{1});
  return false;
}

}  // namespace

// Two neighbours along the first dimension, which is a little faster, against two along the second:
// V/x < V/y, but V/(0.8 x) > V/y and V/x > V/(1.2 y) while x/y is less than 1.2.
TEST_CASE("60 planted bandwidths that change a verdict are named with their link and ranks") {
  std::mt19937 random(5);
  int named = 0;
  for (int c = 0; c < 60; ++c) {
    const int size = 3 + static_cast<int>(random() % 6);
    const int other = 3 + static_cast<int>(random() % 6);
    const double lead = 1.02 + 0.01 * static_cast<double>(random() % 15);
    const int x = static_cast<int>(random() % static_cast<unsigned>(size - 1));
    const int y = static_cast<int>(random() % static_cast<unsigned>(other - 1));
    const int host = x + size * y;
    const Planted planted(fmt::format("mesh:{}x{},bandwidth={}GBps/10GBps", size, other, 10 * lead),
                          Bytes{mebibyte * (1 + c)}, std::nullopt,
                          {{host, host + 1}, {host, host + size}});
    const Sensitivity answer = planted.answer();
    REQUIRE(answer.best == "row 0");
    named +=
        names(answer, "bandwidth of " + planted.kind(0), "-20 %", planted.link(host, host + 1)) &&
        names(answer, "bandwidth of " + planted.kind(1), "+20 %", planted.link(host, host + size));
  }
  CHECK(named == 60);
}

// Three hops along the first dimension against one along the second, which is so much slower that
// the first leads by 0.2 latencies: V/y - V/x = 2.2 L. Three latencies that rise by 20 % cost 0.6
// L.
TEST_CASE("40 planted latencies that change a verdict are named with their link and ranks") {
  std::mt19937 random(7);
  int named = 0;
  for (int c = 0; c < 40; ++c) {
    const int size = 4 + static_cast<int>(random() % 5);
    const int host = static_cast<int>(random() % static_cast<unsigned>(size - 3));
    const double latency = 1e-6 * (1 + c % 5), fast = 20e9, volume = 1e5 * (1 + c);
    const double slow = volume / (volume / fast + 2.2 * latency);
    Planted planted(fmt::format("mesh:{}x3,bandwidth={}Bps/{}Bps", size, fast, slow), Bytes{volume},
                    Seconds{latency}, {{host, host + 3}, {host, host + size}});
    const Sensitivity answer = planted.answer();
    REQUIRE(answer.best == "row 0");
    named += names(answer, "latency of " + planted.kind(0), "+20 %", planted.link(host, host + 1));
  }
  CHECK(named == 40);
}

// One link of half the bandwidth of another: 20 % do not change which is slower. V/10 GBps against
// V/5 GBps, at least V/8 GBps against V/5 GBps: a lead of 3/8.
TEST_CASE("a verdict that no variation changes says by how much it holds at least") {
  Planted planted("mesh:4x4,bandwidth=10GBps/5GBps", Bytes{mebibyte}, std::nullopt,
                  {{0, 1}, {0, 4}});
  const Sensitivity answer = planted.answer();
  double least = 1;
  for (const VerdictVariation& variation : answer.variations) {
    if (variation.what == "routing") continue;
    CHECK(!variation.rival_wins());
    least = std::min(least, variation.lead());
  }
  CHECK(least == Approx(1 - 5.0 / 8));
}

TEST_CASE("the sentence of a sensitivity says what changes the verdict, by how much and why") {
  Sensitivity sensitivity{0.2, "greedy", "block", {1, 1.1}, {}};
  sensitivity.variations.push_back({"bandwidth of rings 0", "+20 %", {1, 1.05}});
  CHECK(describe(sensitivity) ==
        "greedy beats block under every variation (1), by 4.8 % at least: bandwidth of rings 0 "
        "+20 %");
  sensitivity.variations.push_back(
      {"bandwidth of rings 1", "-20 %", {1.25, 1.1}, "d1+:0->4", {{Rank{3}, Rank{7}}}});
  CHECK(describe(sensitivity) ==
        "greedy does not beat block under every variation:\n  bandwidth of rings 1 -20 %: block "
        "takes 12 % less than greedy, by link d1+:0->4 with ranks 3->7");
}

TEST_CASE("a variation is a share above 0 and below 1") {
  CHECK(parse_variation("20%") == Approx(0.2));
  CHECK(parse_variation("0.5") == 0.5);
  for (const char* text : {"0", "1", "100%", "-5%", "x", ""})
    CHECK_THROWS_AS(parse_variation(text), UsageError);
}

}  // namespace vtopo

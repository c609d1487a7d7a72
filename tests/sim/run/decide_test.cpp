#include "sim/run/decide.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "sim/report/report.hpp"
#include "sim/run/plan.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// The order given and another, with the times of a simulator and hop-bytes.
Report two_rows(double given_seconds, double seconds, double given_bytes = 8, double bytes = 8) {
  Report report;
  for (const auto& [name, time, hop_bytes] :
       {std::tuple("block", given_seconds, given_bytes), std::tuple("greedy", seconds, bytes)}) {
    Row row;
    row.mapper = name;
    row.metrics.hop_bytes = {hop_bytes};
    row.metrics.max_congestion = {1};
    row.simulation = SimulationResult{{time}, {}, {}, {}};
    report.rows.push_back(row);
  }
  return report;
}

std::string sentence(Report report, const char* objective, const char* min_gain, double noise = 0) {
  report.noise = noise;
  const Objective minimised = parse_objective(objective);
  const Parsed<parse_gain> share = min_gain;
  report.verdict = decide(report, OrderRule{minimised, share});
  REQUIRE(report.verdict.kept_order);
  CHECK(report.verdict.best == (*report.verdict.kept_order ? 0 : 1));
  return verdict(report);
}

/// A grid of 4x4 ranks in order on a torus of 4x4 hosts.
Scenario grid_on_torus() {
  Scenario scenario;
  scenario.topology = "cart:4px4p";
  scenario.network = "torus:4x4";
  return scenario;
}

Report placed(const Scenario& scenario) {
  Observer nobody;
  RunPlan plan = plan_run(scenario, nobody);
  return keep_or_move(plan, nobody).report;
}

}  // namespace

TEST_CASE("The order given is kept unless another takes less time by more than the share") {
  CHECK(sentence(two_rows(100, 98), "time", "1%") ==
        "greedy is best by simulated time: it would cut the simulated time by 2.0 % and leave "
        "hop-bytes and the busiest link unchanged against block");
  CHECK(
      sentence(two_rows(100, 99.5), "time", "1%") ==
      "the order given, block, is kept, as by simulated time greedy gains no more than --min-gain "
      "1%; greedy would cut the simulated time by 0.5 % and leave hop-bytes and the busiest link "
      "unchanged");
  CHECK(sentence(two_rows(100, 99.5), "time", "0")
            .starts_with("greedy is best by simulated time: it would cut the simulated time"));
  CHECK(sentence(two_rows(100, 112), "time", "1%") ==
        "the order given, block, is kept, as greedy is predicted to take more time; greedy would "
        "raise the simulated time by 12 % and leave hop-bytes and the busiest link unchanged");
}

TEST_CASE("The same time is a tie, in which the order given is kept whatever else gains") {
  CHECK(sentence(two_rows(100, 100, 8, 4), "time", "0") ==
        "block and greedy tie by simulated time: the order given, block, is kept; greedy would cut "
        "hop-bytes by 50 % and leave the busiest link and the simulated time unchanged");
  // Less than clocks and sums round.
  CHECK(sentence(two_rows(100, 100 - 1e-5), "time", "0") ==
        "block and greedy tie by simulated time: the order given, block, is kept; greedy would "
        "leave hop-bytes, the busiest link and the simulated time unchanged");
}

TEST_CASE("Within the noise of the machine it is a tie, and what is likely to gain is written") {
  // ln(100 / 97) = 0.0305: within 4 %, and a gain of 3 % is more than half of it.
  CHECK(
      sentence(two_rows(100, 97, 8, 4), "time", "auto", 0.04) ==
      "greedy and block tie by simulated time, no difference above noise (4 %): greedy is written; "
      "greedy would cut hop-bytes by 50 % and leave the busiest link unchanged");
  CHECK(
      sentence(two_rows(100, 98.5), "time", "auto", 0.04) ==
      "block and greedy tie by simulated time, no difference above noise (4 %): the order given, "
      "block, is kept; greedy would leave hop-bytes and the busiest link unchanged");
  CHECK(sentence(two_rows(100, 103), "time", "auto", 0.04)
            .starts_with("block and greedy tie by simulated time, no difference above noise (4 %): "
                         "the order given, block, is kept, as greedy is predicted to take more"));
  // ln(100 / 96) = 0.0408 is more.
  CHECK(
      sentence(two_rows(100, 96), "time", "auto", 0.04)
          .starts_with("greedy is best by simulated time: it would cut the simulated time by 4.0"));
  // 1 % where the noise is less than twice as much.
  const Parsed<parse_gain> by_itself = "auto", given = "3%";
  CHECK(least_gain(by_itself, 0) == 0.01);
  CHECK(least_gain(by_itself, 0.015) == 0.01);
  CHECK(least_gain(by_itself, 0.3) == 0.15);
  CHECK(least_gain(given, 0.3) == Approx(0.03));
}

TEST_CASE("Of rows within the noise of the fastest one the fewest hop-bytes decide") {
  Report report = two_rows(100, 97, 4, 8);
  report.noise = 0.04;
  report.verdict = decide(report);
  CHECK(report.verdict.best == 0);
  CHECK(report.verdict.ties == std::vector<std::size_t>{1});
  CHECK(verdict(report) ==
        "block and greedy tie by simulated time, no difference above noise (4 %)");
  report.noise = 0;
  CHECK(decide(report).best == 1);
}

TEST_CASE("Times without end tie with each other, not with those that have one") {
  constexpr double never = std::numeric_limits<double>::infinity();
  CHECK(decide(two_rows(never, never)).ties == std::vector<std::size_t>{1});
  CHECK(decide(two_rows(never, 1)).best == 1);
  CHECK(decide(two_rows(never, 1)).ties.empty());
  CHECK(decide(two_rows(1, never)).best == 0);
  CHECK(decide(two_rows(1, never)).ties.empty());
}

TEST_CASE("Under another objective a slower embedding is not written either") {
  CHECK(
      sentence(two_rows(100, 100, 8, 4), "hop-bytes", "1%") ==
      "greedy is best by hop-bytes: it would cut hop-bytes by 50 % and leave the busiest link and "
      "the simulated time unchanged against block");
  CHECK(sentence(two_rows(100, 101, 8, 4), "hop-bytes", "1%") ==
        "the order given, block, is kept, as greedy is predicted to take more time; greedy would "
        "cut hop-bytes by 50 % but raise the simulated time by 1.0 % and leave the busiest link "
        "unchanged");
  CHECK(sentence(two_rows(100, 50, 8, 8), "hop-bytes", "1%") ==
        "block and greedy tie by hop-bytes: the order given, block, is kept; greedy would cut the "
        "simulated time by 50 % and leave hop-bytes and the busiest link unchanged");
  CHECK(sentence(two_rows(100, 50, 8, 7.96), "hop-bytes", "1%")
            .starts_with("the order given, block, is kept, as by hop-bytes greedy gains no more "
                         "than --min-gain 1%; greedy would cut hop-bytes by 0.5 % and the"));
  // The first sum in which they differ decides: the congestions are the same.
  CHECK(sentence(two_rows(100, 100, 8, 4), "max-congestion,hop-bytes", "1%")
            .starts_with("greedy is best by max-congestion,hop-bytes: it would cut hop-bytes"));
}

TEST_CASE("Without a least gain every embedding is written") {
  CHECK(sentence(two_rows(100, 300, 8, 20), "time", "none") ==
        "greedy is written, as --min-gain none asks for it; it would raise hop-bytes by 150 % and "
        "the simulated time by 200 % and leave the busiest link unchanged against block");
  CHECK(sentence(two_rows(100, 100, 8, 8), "time", "none") ==
        "greedy and block tie by simulated time: greedy is written, as --min-gain none asks for "
        "it; greedy would leave hop-bytes, the busiest link and the simulated time unchanged");
  CHECK_THROWS_AS(parse_gain("-1%"), UsageError);
  CHECK_THROWS_AS(parse_gain("much"), UsageError);
  CHECK(parse_gain("2%").value() == Approx(0.02));
  CHECK(parse_gain("0.05").value() == Approx(0.05));
  CHECK_FALSE(parse_gain("auto").has_value());
}

TEST_CASE("A run that keeps orders compares with block, and keeps it where it is optimal") {
  Scenario scenario = grid_on_torus();
  scenario.mappers = "random";
  const Report report = placed(scenario);
  REQUIRE(report.rows.size() == 2);
  CHECK(report.rows.front().mapper == "block");  // one flow per link: nothing is faster
  CHECK(report.verdict.kept_order == true);
  scenario.mappers = "block";
  CHECK(placed(scenario).rows.size() == 1);
  CHECK_FALSE(placed(scenario).verdict.kept_order);
}

TEST_CASE("By default a run minimises time, and a schedule's is the sum over its phases") {
  // A grid of 2x8 bends round into the torus of 4x4 with neighbours as neighbours: each of the four
  // directions takes the time of one message of 1000 bytes at 10 GB/s and of one link. In order,
  // the fourth rank of a row and the fifth are two links apart.
  Scenario scenario;
  scenario.topology = "cart:2x8";
  scenario.network = "torus:4x4";
  scenario.bytes = "1000";
  scenario.patterns = {"phased"};
  scenario.mappers = "portfolio";
  const Report report = placed(scenario);
  REQUIRE(report.rows.size() == 2);
  CHECK(report.verdict.kept_order == false);
  const double link = 1e-7, message = 1000 / 10e9;
  CHECK(report.rows.front().simulation->makespan > report.rows.back().simulation->makespan);
  CHECK(report.rows.back().simulation->makespan.value == Approx(4 * (message + link)));
}

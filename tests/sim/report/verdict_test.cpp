#include <catch2/catch.hpp>

#include "tests/sim/report_rows.hpp"

using namespace vtopo;

TEST_CASE("The verdict names the best mapper and what it cuts") {
  // By hand: 62 of 100 is a cut of 38 %, 49 of 100 one of 51 %, 90 of 120 one of 25 %.
  CHECK(verdict(make_report({make_row("block", 100, 100), make_row("random", 300, 300),
                             make_row("greedy", 62, 49)})) ==
        "greedy is best by static time: it would cut hop-bytes by 38 % and the busiest link by 51 "
        "% against block");
  CHECK(verdict(make_report({simulated(make_row("block", 100, 100), 120),
                             simulated(make_row("greedy", 62, 49), 90)})) ==
        "greedy is best by simulated time: it would cut hop-bytes by 38 %, the busiest link by 51 "
        "% and the simulated time by "
        "25 % against block");
}

TEST_CASE("The verdict says both when one figure falls and another rises") {
  CHECK(verdict(make_report({make_row("block", 100, 100), make_row("greedy", 112, 95)})) ==
        "greedy is best by static time: it would cut the busiest link by 5.0 % but raise hop-bytes "
        "by 12 % against block");
}

TEST_CASE("The verdict says what stays the same") {
  CHECK(verdict(make_report({make_row("block", 100, 100), make_row("greedy", 62, 100)})) ==
        "greedy and block tie by static time: greedy would cut hop-bytes by 38 % and leave the "
        "busiest link unchanged against block");
  CHECK(verdict(make_report({simulated(make_row("block", 100, 100), 100),
                             simulated(make_row("greedy", 138, 100), 90)})) ==
        "greedy is best by simulated time: it would cut the simulated time by 10 % but raise "
        "hop-bytes by 38 % and leave the "
        "busiest link unchanged against block");
}

TEST_CASE("The verdict prefers less time by however little, and at a tie fewer hop-bytes") {
  CHECK(verdict(make_report(
            {make_row("block", 100, 100), make_row("rcm", 50, 90), make_row("greedy", 60, 80)})) ==
        "greedy is best by static time: it would cut hop-bytes by 40 % and the busiest link by 20 "
        "% against block");
  CHECK(
      verdict(make_report(
          {make_row("block", 100, 100), make_row("rcm", 50, 80.05), make_row("greedy", 60, 80)})) ==
      "greedy is best by static time: it would cut hop-bytes by 40 % and the busiest link by 20 % "
      "against block");
  CHECK(
      verdict(make_report(
          {make_row("block", 100, 100), make_row("rcm", 50, 80), make_row("greedy", 60, 80)})) ==
      "rcm and greedy tie by static time: rcm would cut hop-bytes by 50 % and the busiest link by "
      "20 % against block");
  // The clock decides where all rows are simulated: rcm finishes first although its bound is
  // higher.
  CHECK(verdict(make_report({simulated(make_row("block", 100, 100), 200),
                             simulated(make_row("rcm", 100, 90), 100),
                             simulated(make_row("greedy", 100, 80), 120)})) ==
        "rcm is best by simulated time: it would cut the busiest link by 10 % and the simulated "
        "time by 50 % and leave hop-bytes "
        "unchanged against block");
}

TEST_CASE("The verdict does not praise a difference that is rounding of sums") {
  CHECK(verdict(make_report({make_row("block", 100, 100), make_row("greedy", 100 - 1e-9, 100)})) ==
        "block and greedy tie by static time");
  CHECK(verdict(make_report({make_row("block", 1e6, 100), make_row("greedy", 1e6 - 1, 100)})) ==
        "greedy and block tie by static time: greedy would cut hop-bytes by less than 0.1 % and "
        "leave the busiest link unchanged against block");
}

TEST_CASE("The verdict says when nothing beats the baseline") {
  CHECK(verdict(make_report({make_row("random", 300, 300), make_row("block", 100, 100),
                             make_row("snake", 100, 100)})) ==
        "block and snake tie by static time, the least of these 3 mappers");
  CHECK(verdict(make_report({make_row("random", 300, 300), make_row("block", 100, 100)})) ==
        "block is already the best of these 2 mappers by static time");
}

TEST_CASE("The verdict names a few rows that tie, and counts many") {
  const Report report = make_report({make_row("a", 9, 9), make_row("b", 9, 9), make_row("c", 9, 9),
                                     make_row("block", 9, 9), make_row("d", 9, 9)});
  CHECK(report.verdict.best == 3);
  CHECK(report.verdict.ties == std::vector<std::size_t>{0, 1, 2, 4});
  CHECK(verdict(report) == "block and 4 other mappers tie by static time");
}

TEST_CASE("The verdict mentions a mapper that has fewer hop-bytes than the fastest baseline") {
  CHECK(verdict(make_report({make_row("block", 105, 60), make_row("greedy", 100, 100)})) ==
        "block already takes the least static time of these 2 mappers; greedy would cut hop-bytes "
        "by 4.8 % "
        "but raise the busiest link by 67 %");
}

TEST_CASE("The verdict on a baseline without traffic between hosts divides by nothing") {
  CHECK(verdict(make_report({make_row("block", 0, 0), make_row("random", 9, 9)})) ==
        "no traffic leaves a host under block: none of these 2 mappers can do better");
  // Infinite bandwidth: hop-bytes without congestion.
  CHECK(verdict(make_report({make_row("block", 100, 0), make_row("greedy", 50, 1)})) ==
        "block already takes the least static time of these 2 mappers; greedy would cut hop-bytes "
        "by 50 % "
        "but raise the busiest link from 0");
}

TEST_CASE("The verdict names a routing other than SimGrid's") {
  Row block = make_row("block", 100, 100), greedy = make_row("greedy", 62, 49);
  block.routing = greedy.routing = Routing::ecmp;
  CHECK(verdict(make_report({block, greedy})) ==
        "with routing ecmp, greedy is best by static time: it would cut hop-bytes by 38 % and the "
        "busiest link by 51 % "
        "against block");
  greedy.bounds = {{62}, {49}};
  CHECK(verdict(make_report({greedy})) ==
        "with routing ecmp, greedy: hop-bytes at the lower bound; the busiest link at its lower "
        "bound");
}

TEST_CASE("The verdict on one embedding compares it with its bounds") {
  Row row = make_row("greedy", 109, 100);
  row.bounds = {{100}, {100}};
  CHECK(verdict(make_report({row})) ==
        "greedy: hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound");
  CHECK(verdict(make_report({simulated(row, 108)})) ==
        "greedy: hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound; the "
        "simulated time 8.0 % above the static bound");
  // SimGrid stops a hair early at times: what is below the bound is called below.
  CHECK(verdict(make_report({simulated(row, 99.99)})) ==
        "greedy: hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound; the "
        "simulated time less than 0.1 % below the static bound");
  // Phases that overlap may take less than one after the other.
  Row program = simulated(row, 90);
  program.clock = "program";
  program.phases.resize(2);
  CHECK(verdict(make_report({program})) ==
        "greedy: hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound; the "
        "simulated time 10 % below the sum of the static bounds of its phases");
  row.bounds = {};
  CHECK(verdict(make_report({row})) ==
        "greedy: hop-bytes above the lower bound of 0; the busiest link above its lower bound of "
        "0");
  CHECK(verdict(make_report({make_row("greedy", 0, 0)})) ==
        "greedy: no traffic leaves a host, nothing is left to improve");
}

namespace {

Row ideally(Row row, double found, double bound) {
  row.ideal_congestion = Seconds{found};
  row.ideal_congestion_bound = Seconds{bound};
  return row;
}

}  // namespace

TEST_CASE("The verdict says when two placements certainly swap order under ideal routing") {
  // By hand: greedy has less on its busiest link (80 < 100), and at least 60 under ideal routing,
  // where block needs 50.
  CHECK(verdict(make_report({ideally(make_row("block", 100, 100), 50, 49),
                             ideally(make_row("greedy", 100, 80), 61, 60)})) ==
        "greedy is best by static time: it would cut the busiest link by 20 % and leave hop-bytes "
        "unchanged against block; the "
        "order of the busiest links depends on routing: with ideal routing greedy is behind block");
  // 60.5 lies between the certificate of greedy and what was found: nothing is certain.
  CHECK(verdict(make_report({ideally(make_row("block", 100, 100), 60.5, 49),
                             ideally(make_row("greedy", 100, 80), 61, 60)})) ==
        "greedy is best by static time: it would cut the busiest link by 20 % and leave hop-bytes "
        "unchanged against block");
}

TEST_CASE("A report lists the busiest links from ideal routing to the routing of its rows") {
  const auto report = make_report({ideally(make_row("block", 100, 2e-3), 1e-3, 0.5e-3)});
  CHECK(render_table(report).find("busiest link from ideal routing to routing simgrid:\n"
                                  "  block: 1 ms (certified: at least 500 us) to 2 ms\n") !=
        std::string::npos);
  CHECK(render_csv(report).find(",ideal_congestion,ideal_congestion_bound\n") != std::string::npos);
  CHECK(render_csv(report).find(",0.001,0.0005\n") != std::string::npos);
  CHECK(render_json(report).find("\"ideal_congestion_bound\": 0.0005") != std::string::npos);
  const auto plain = make_report({make_row("block", 100, 2e-3)});
  CHECK(render_table(plain).find("ideal") == std::string::npos);
  CHECK(render_csv(plain).find("ideal") == std::string::npos);
}

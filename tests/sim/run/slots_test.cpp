#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "sim/run/plan.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Slots are counts, or counts compressed as SLURM_TASKS_PER_NODE has them") {
  CHECK(parse_slots("4") == std::vector{4});
  CHECK(parse_slots("4,4,3") == std::vector{4, 4, 3});
  CHECK(parse_slots("4(x2),3") == std::vector{4, 4, 3});
  CHECK(parse_slots("4(x1000000)").size() == 1000000);
  const auto wrong =
      GENERATE(as<std::string>(), "", "0", "4(x)", "4(x0)", "4(x-1)", "(x2)", "4(x2", "4x2",
               "4(x2),", "0(x2)", "4(x2)3", "4(x1000001)", "1(x600000),1(x600000)");
  CHECK_THROWS_AS(parse_slots(wrong), UsageError);
}

TEST_CASE("The file of an embedding says how many ranks each host has, unless slots are given") {
  // Of nine ranks a has five, b three, c one: more than 9 / 3 on each.
  const tests::TemporaryFile file(
      "slots.csv", "rank,host\n0,a\n1,a\n2,b\n3,a\n4,c\n5,b\n6,a\n7,b\n8,a\n");
  Scenario scenario;
  scenario.topology = "cart:9";
  scenario.network = "mesh:3";
  scenario.host_names = "a,b,c";
  scenario.embedding = file.path();
  scenario.simulate = false;
  Observer silent;
  const RunPlan plan = plan_run(scenario, silent);
  CHECK(plan.experiment.allocation.slots == std::vector{5, 3, 1});
  Scenario ring = scenario;
  ring.network = "torus:3";
  ring.fail_links = {"1"};  // of those that the baseline uses, whose ranks need the slots, too
  CHECK(plan_run(ring, silent).experiment.allocation.slots == std::vector{5, 3, 1});
  scenario.slots = decltype(scenario.slots)("4");
  RunPlan given = plan_run(scenario, silent);
  CHECK_THROWS_WITH(compare(given, silent), Catch::Contains("raise --slots to 5"));
  scenario.slots = decltype(scenario.slots)("2");
  CHECK_THROWS_AS(plan_run(scenario, silent), FitError);
}

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

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

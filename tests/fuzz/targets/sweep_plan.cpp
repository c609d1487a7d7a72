#include "sim/study/plan.hpp"

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_sweep_plan(std::string_view input) {
  const MemoryFile file(input);
  const StudyPlan plan = read_plan(file.path());
  require(!plan.scenarios.empty(), "a plan without scenarios");
  require(plan.scenarios.size() <= plan.combinations, "more scenarios than combinations");
}

}  // namespace

Target sweep_plan() {
  return {"plans of sweeps", run_sweep_plan, {std::size_t{1} << 30, 64}};
}

}  // namespace vtopo::fuzz::targets

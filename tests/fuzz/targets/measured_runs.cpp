#include "sim/research/validation/measured_runs.hpp"

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_measured_runs(std::string_view input) {
  const MemoryFile file(input);
  for (const MeasuredPoint& point : read_measured_points(file.path())) {
    require(point.ranks >= 1, "a run without ranks");
    require(point.bytes.value > 0 && point.time.value > 0, "no bytes or no time");
    require(point.run.find('/') == std::string::npos, "a run that leaves its folder");
  }
}

}  // namespace

Target measured_runs() {
  return {"measured points", run_measured_runs, {}};
}

}  // namespace vtopo::fuzz::targets

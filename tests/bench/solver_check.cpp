// Finish times of every flow by the fast solver against SimGrid's, on random phases: how many, and
// the largest relative difference. Exits with 1 if one is above 1e-6.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "tests/sim/random_phases.hpp"

using namespace vtopo;
using namespace vtopo::detail;

int main(int argc, char** argv) {
  int count = 600;
  std::uint64_t first = 1;
  CLI::App app("Fast solver against SimGrid, flow by flow");
  app.add_option("--count", count, "phases");
  app.add_option("--first", first, "seed of the first phase");
  CLI11_PARSE(app, argc, argv);
  const auto folder =
      std::filesystem::temp_directory_path() / ("vtopo-solver-check-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  constexpr double accepted = 1e-6;
  double largest = 0;
  std::size_t flows = 0;
  int beyond = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const RandomPhase phase = PhaseDraw(seed, folder.string()).phase();
    const auto fast = flow_times(phase, Solver::fast);
    const double here = deviation(fast, flow_times(phase, Solver::simgrid));
    flows += fast.size();
    largest = std::max(largest, here);
    if (!(here <= accepted)) {
      ++beyond;
      fmt::print("seed {}, {}: {} flows, off by {:.3g}\n", seed, phase.network_text, fast.size(),
                 here);
    }
  }
  std::filesystem::remove_all(folder);
  fmt::print("{} phases, {} flows: largest relative difference {:.3g}; {} phases beyond {:.0e}\n",
             count, flows, largest, beyond, accepted);
  return beyond == 0 ? 0 : 1;
}

// When ranks of random programs finish by vtopo's engine and by SimGrid: the largest relative
// difference. Exits with 1 if one is above 1e-6, but for programs that amplify rounding so much.
#include <CLI/CLI.hpp>
#include <cmath>

#include "sim/clock/program_times.hpp"
#include "sim/clock/simgrid/run_program.hpp"
#include "tests/sim/clock/programs/random_program.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Largest relative difference of the finish of a rank. A message without bytes has one in SimGrid,
/// 1e-13 s.
double deviation(const ProgramTimes& a, const ProgramTimes& b) {
  double largest = 0;
  for (int r = 0; r < a.ranks.size(); ++r) {
    const double mine = a.ranks[Rank{r}].finish.value, other = b.ranks[Rank{r}].finish.value;
    if (std::abs(mine - other) > 1e-12)
      largest = std::max(largest, std::abs(mine - other) / std::max(mine, other));
  }
  return largest;
}

/// How far volumes that differ by 1e-12 move the finish of a rank: contended exchanges of many
/// steps amplify what is rounded.
double sensitivity(const tests::RandomProgram& random) {
  Program other = random.program();
  Random bits(1);
  for (auto& operations : other.ranks)
    for (Operation& operation : operations)
      if (is_send(operation.kind))
        operation.amount *= 1 + 1e-12 * static_cast<double>(bits.below(2));
  return deviation(simulate_program(random.program(), random.network(), random.embedding()),
                   simulate_program(other, random.network(), random.embedding()));
}

}  // namespace

int main(int argc, char** argv) {
  int count = 500, max_ranks = 64;
  std::uint64_t first = 1;
  CLI::App app("Programs by vtopo's engine against SimGrid, rank by rank");
  app.add_option("--count", count, "programs");
  app.add_option("--first", first, "seed of the first program");
  app.add_option("--ranks", max_ranks, "most ranks of a program");
  CLI11_PARSE(app, argc, argv);
  constexpr double accepted = 1e-6;
  double largest = 0;
  std::int64_t ranks = 0, messages = 0;
  int beyond = 0, ill_conditioned = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const tests::RandomProgram random(seed, max_ranks);
    const double here =
        deviation(simulate_program(random.program(), random.network(), random.embedding()),
                  run_program(random.program(), random.network(), random.embedding()));
    ranks += random.program().num_ranks();
    messages += num_messages(random.program());
    if (here <= accepted) {
      largest = std::max(largest, here);
      continue;
    }
    const double own = sensitivity(random);
    ++(own <= accepted ? beyond : ill_conditioned);
    fmt::print("seed {}, {}: off by {:.3g}; volumes that differ by 1e-12 move it by {:.3g}\n", seed,
               random.network().description(), here, own);
  }
  fmt::print(
      "{} programs, {} ranks, {} messages: largest relative difference {:.3g}; {} programs beyond "
      "{:.0e}, {} that amplify rounding beyond it\n",
      count, ranks, messages, largest, beyond, accepted, ill_conditioned);
  return beyond == 0 ? 0 : 1;
}

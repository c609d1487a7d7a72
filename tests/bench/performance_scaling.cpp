#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "tests/bench/performance.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

namespace {

constexpr int sides[] = {10, 16, 22, 32, 46, 64, 100};  ///< of cubes, 1e3 to 1e6 ranks

constexpr std::size_t first_large = 2;  ///< tables of all pairs are kept up to 4,096 hosts

/// What is measured at each size.
struct Operation {
  std::string name;
  std::function<void(const HaloProblem&)> run;
  std::vector<std::optional<double>> seconds = {};  ///< one entry per side
};

void map_by(const char* mapper, const HaloProblem& halo) {
  run_mapper({mapper, {}}, {halo.guest, *halo.network, halo.allocation, &halo.grid});
}

std::vector<Operation> operations() {
  return {
      {"halo of six flows per rank",
       [](const HaloProblem& halo) {
         const Bytes volume[] = {Bytes{1 << 20}};
         make_comm_graph(halo.grid, volume);
       }},
      {"`evaluate`, random embedding",
       [](const HaloProblem& halo) { evaluate(halo.guest, *halo.network, halo.embedding); }},
      {"mapper `block`", [](const HaloProblem& halo) { map_by("block", halo); }},
      {"mapper `hilbert`", [](const HaloProblem& halo) { map_by("hilbert", halo); }},
      {"mapper `greedy`", [](const HaloProblem& halo) { map_by("greedy", halo); }},
      {"`lower_bounds`",
       [](const HaloProblem& halo) { lower_bounds(halo.guest, *halo.network, halo.allocation); }},
      {"fast solver, equal volumes, random embedding", [](const HaloProblem& halo) {
         SimulationOptions options;
         options.solver = Solver::fast;
         simulate(halo.guest, *halo.network, halo.embedding, options);
       }}};
}

double ranks(std::size_t size) {
  return std::pow(sides[size], 3);
}

/// Slope of the least-squares line through the logarithms; nothing for less than three points.
/// @param first size that counts.
std::optional<double> exponent(const Operation& operation, std::size_t first) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = first; i < operation.seconds.size(); ++i) {
    if (!operation.seconds[i]) continue;
    const double log_ranks = std::log(ranks(i)), log_seconds = std::log(*operation.seconds[i]);
    n += 1;
    x += log_ranks;
    y += log_seconds;
    xx += log_ranks * log_ranks;
    xy += log_ranks * log_seconds;
  }
  if (n < 3) return std::nullopt;
  return (n * xy - x * y) / (n * xx - x * x);
}

/// What the next size will take, from the last ones.
double expected_seconds(const Operation& operation) {
  const std::size_t next = operation.seconds.size();
  if (next == 0) return 0;
  if (!operation.seconds.back()) return std::numeric_limits<double>::infinity();
  double slope = 1;
  if (next > 1)
    slope = std::max(slope, std::log(*operation.seconds[next - 1] / *operation.seconds[next - 2]) /
                                std::log(ranks(next - 1) / ranks(next - 2)));
  return *operation.seconds.back() * std::pow(ranks(next) / ranks(next - 1), slope);
}

/// Best of up to nine runs of half a second together.
double measured(const Operation& operation, const HaloProblem& halo) {
  const double once = best_seconds(1, [&] { operation.run(halo); });
  const int more = std::min(8, static_cast<int>(0.5 / std::max(once, 1e-6)));
  return std::min(once, best_seconds(more, [&] { operation.run(halo); }));
}

void print_row(const Operation& operation) {
  fmt::print("| {} |", operation.name);
  for (const auto& seconds : operation.seconds)
    fmt::print(" {} |", seconds ? fmt::format("{:.3g}", *seconds) : "-");
  for (const std::size_t first : {std::size_t{0}, first_large}) {
    const auto slope = exponent(operation, first);
    fmt::print(" {} |", slope ? fmt::format("{:.2f}", *slope) : "-");
  }
  fmt::print("\n");
}

}  // namespace

void print_scaling(double seconds) {
  auto all = operations();
  for (const int side : sides) {
    const auto halo =
        make_halo(fmt::format("torus:{0}x{0}x{0}", side), {side, side, side}, HaloPlaces::drawn);
    for (Operation& operation : all)
      operation.seconds.push_back(expected_seconds(operation) <= seconds
                                      ? std::optional(measured(operation, halo))
                                      : std::nullopt);
  }
  fmt::print(
      "\n### Scaling\n\nSeconds of one core, a periodic cube of ranks on a torus of as many hosts; "
      "what would take more than {:g} s is left out. *Exponent*: slope of the least-squares line "
      "through the logarithms, over all sizes and over those above 4,096 ranks; 1 is proportional "
      "to ranks.\n\n| ranks |",
      seconds);
  for (const int side : sides) fmt::print(" {} |", side * side * side);
  fmt::print(" exponent | above 4,096 |\n|---|");
  for (std::size_t i = 0; i < std::size(sides); ++i) fmt::print("---|");
  fmt::print("---|---|\n");
  for (const Operation& operation : all) print_row(operation);
}

}  // namespace vtopo

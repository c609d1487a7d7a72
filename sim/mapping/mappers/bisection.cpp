#include <cmath>

#include "sim/mapping/partition/guest_partition.hpp"
#include "sim/mapping/search/budget.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Two tries for each part take about so long per rank and doubling of the ranks; where that is
/// more than a share of the time, there is one on grids, where annealing makes good for it.
constexpr double microseconds_per_rank = 3.5;
constexpr double max_share_of_two_tries = 0.2;

int tries(const MappingProblem& problem, const SearchControl& control) {
  if (!problem.network.coordinates()) return 2;
  const double ranks = problem.guest.num_ranks();
  const double seconds = 1e-6 * microseconds_per_rank * ranks * std::log2(ranks + 2);
  const auto left = time_left(control);
  return !left || seconds < max_share_of_two_tries * left->count() ? 2 : 1;
}

Embedding map_bisection(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Dual recursive bisection without refinement of the embedding: both graphs are halved together,
/// ranks attracted to the side closer to partners placed before. F. Pellegrini, "Static mapping by
/// dual recursive bipartitioning of process and architecture graphs" (SHPCC 1994); T. Hoefler and
/// M. Snir, "Generic Topology Mapping Strategies for Large-Scale Parallel Architectures" (ICS
/// 2011).
MapperInfo bisection() {
  return {.name = "bisection",
          .summary = "halves guest and hosts together, again and again",
          .reference = "Pellegrini, SHPCC 1994; Hoefler and Snir, ICS 2011",
          .options = {effort_option()},
          .map = map_bisection,
          .role = MapperRole::mainstay,
          .uses_seed = true,
          .work = {.microseconds_per_rank = 1.2, .microseconds_per_edge = 0.14, .quick_share = 0.5},
          // More than it takes: where time is short, annealing gives more on grids.
          .work_on_grids = WorkEstimate{.microseconds_per_rank = 3.5}};
}

namespace {

Embedding map_bisection(const MappingProblem& problem, const SearchControl& control) {
  return map_by_halves(problem, control,
                       {.tries = tries(problem, control),
                        .sees_outside = true,
                        .refines_parts = false,
                        .exchanges = false,
                        .is_quick = is_quick(bisection(), problem)});
}

}  // namespace

}  // namespace vtopo::detail::mappers

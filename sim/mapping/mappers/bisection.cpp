#include "sim/mapping/partition/guest_partition.hpp"

namespace vtopo::detail::mappers {

namespace {

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
  // Until a deadline on a grid an annealing follows, which makes good for a second try.
  return map_by_halves(problem, control,
                       {.tries = control.deadline && problem.network.coordinates() ? 1 : 2,
                        .sees_outside = true,
                        .refines_parts = false,
                        .exchanges = false,
                        .is_quick = is_quick(bisection(), problem)});
}

}  // namespace

}  // namespace vtopo::detail::mappers

#include "sim/mapping/search/greedy_construction.hpp"

namespace vtopo::detail::mappers {

/// Greedy construction: the heaviest rank first, then always the rank that exchanges most with the
/// mapped ones, onto the free slot closest (in hop-bytes) to its mapped partners. T. Hoefler and M.
/// Snir, "Generic Topology Mapping Strategies for Large-Scale Parallel Architectures" (ICS 2011),
/// with the distance to all mapped partners of R. Glantz, H. Meyerhenke and A. Noe, "Algorithms for
/// Mapping Parallel Processes onto Grid and Torus Architectures" (PDP 2015). O(edges * hosts).
MapperInfo greedy() {
  return {
      .name = "greedy",
      .summary = "most connected rank next, onto the free slot closest to its partners",
      .reference = "Hoefler and Snir, ICS 2011",
      .map =
          [](const MappingProblem& problem, const SearchControl& control) {
            return construct_greedily(problem, control.progress, GreedyStart::first_host);
          },
      .work = {.microseconds_per_rank = 0.8, .nanoseconds_per_pair = 0.25},
      .work_on_grids = WorkEstimate{.microseconds_per_rank = 0.3, .microseconds_per_edge = 0.02}};
}

}  // namespace vtopo::detail::mappers

#include "sim/mapping/search/greedy_construction.hpp"

namespace vtopo::detail::mappers {

/// GreedyAllC of R. Glantz, H. Meyerhenke and A. Noe, "Algorithms for Mapping Parallel Processes
/// onto Grid and Torus Architectures" (PDP 2015): as `greedy`, from the centre of the hosts
/// outwards.
MapperInfo greedy_allc() {
  return {.name = "greedy_allc",
          .summary = "as greedy, from the centre of the hosts outwards",
          .reference = "Glantz, Meyerhenke and Noe, PDP 2015",
          .map =
              [](const MappingProblem& problem, const SearchControl& control) {
                return construct_greedily(problem, control.progress, GreedyStart::centre);
              },
          .work = {.microseconds_per_rank = 0.8, .nanoseconds_per_pair = 0.25}};
}

}  // namespace vtopo::detail::mappers

#include "sim/mapping/search/greedy_construction.hpp"

namespace vtopo::mappers {

/// GreedyAllC of R. Glantz, H. Meyerhenke and A. Noe, "Algorithms for Mapping Parallel Processes
/// onto Grid and Torus Architectures" (PDP 2015): as `greedy`, from the centre of the hosts
/// outwards.
MapperInfo greedy_allc() {
  return {"greedy_allc",
          "as greedy, from the centre of the hosts outwards",
          "Glantz, Meyerhenke and Noe, PDP 2015",
          [](const MappingProblem& problem) {
            return construct_greedily(problem, GreedyStart::centre);
          },
          {}};
}

}  // namespace vtopo::mappers

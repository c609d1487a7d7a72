#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::mappers {

/// Ranks and cells both along a Hilbert curve, for grids of any sizes: what is near in the guest is
/// near in the order and so near among the hosts (C. Hamilton and A. Rau-Chaplin, "Compact Hilbert
/// indices: Space-filling curves for domains with unequal side lengths", Information Processing
/// Letters 105, 2008).
MapperInfo hilbert() {
  return {"hilbert",
          "Hilbert curves through guest and hosts, matched",
          "Hamilton and Rau-Chaplin, IPL 2008",
          [](const MappingProblem& problem) { return map_along(problem, hilbert_order); },
          {},
          grid_obstacle,
          false,
          "a Cartesian guest on a torus or mesh"};
}

}  // namespace vtopo::mappers

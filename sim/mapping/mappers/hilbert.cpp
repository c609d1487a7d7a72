#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

/// Ranks and cells both along a Hilbert curve, for grids of any sizes: what is near in the guest is
/// near in the order and so near among the hosts (C. Hamilton and A. Rau-Chaplin, "Compact Hilbert
/// indices: Space-filling curves for domains with unequal side lengths", Information Processing
/// Letters 105, 2008).
MapperInfo hilbert() {
  return {.name = "hilbert",
          .summary = "Hilbert curves through guest and hosts, matched",
          .reference = "Hamilton and Rau-Chaplin, IPL 2008",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = grid_unsupported_reason,
          .map = [](const MappingProblem& problem, const SearchControl&) {
            return map_along(problem, hilbert_order);
          }};
}

}  // namespace vtopo::detail::mappers

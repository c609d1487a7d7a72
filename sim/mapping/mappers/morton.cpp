#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

/// Ranks and cells both in the order of their interleaved coordinate bits, for grids of any sizes
/// (G. M. Morton, "A computer oriented geodetic data base and a new technique in file sequencing",
/// IBM 1966).
MapperInfo morton() {
  return {.name = "morton",
          .summary = "orders of interleaved coordinate bits of guest and hosts, matched",
          .reference = "Morton, IBM 1966",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = grid_unsupported_reason,
          .map = [](const MappingProblem& problem, const SearchControl&) {
            return map_along(problem, morton_order);
          }};
}

}  // namespace vtopo::detail::mappers

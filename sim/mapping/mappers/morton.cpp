#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::mappers {

/// Ranks and cells both in the order of their interleaved coordinate bits, for grids of any sizes
/// (G. M. Morton, "A computer oriented geodetic data base and a new technique in file sequencing",
/// IBM 1966).
MapperInfo morton() {
  return {"morton",
          "orders of interleaved coordinate bits of guest and hosts, matched",
          "Morton, IBM 1966",
          [](const MappingProblem& problem) { return map_along(problem, morton_order); },
          {},
          grid_obstacle,
          false,
          "a Cartesian guest on a torus or mesh"};
}

}  // namespace vtopo::mappers

#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::mappers {

/// Ranks and cells both in reflected (boustrophedon) order, so that consecutive ranks are
/// neighbours on both sides (D. E. Knuth, "The Art of Computer Programming" 7.2.1.1, reflected Gray
/// codes in mixed radix; as an embedding of grids: H. Yu, I-H. Chung and J. Moreira, SC06).
MapperInfo snake() {
  return {"snake",
          "reflected (boustrophedon) orders of guest and hosts, matched",
          "Yu, Chung and Moreira, SC06; Knuth, TAOCP 7.2.1.1",
          [](const MappingProblem& problem) { return map_along(problem, snake_order); },
          {},
          grid_obstacle,
          false,
          "a Cartesian guest on a torus or mesh"};
}

}  // namespace vtopo::mappers

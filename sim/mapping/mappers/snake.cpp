#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

/// Ranks and cells both in reflected (boustrophedon) order, so that consecutive ranks are
/// neighbours on both sides (D. E. Knuth, "The Art of Computer Programming" 7.2.1.1, reflected Gray
/// codes in mixed radix; as an embedding of grids: H. Yu, I-H. Chung and J. Moreira, SC06).
MapperInfo snake() {
  return {.name = "snake",
          .summary = "reflected (boustrophedon) orders of guest and hosts, matched",
          .reference = "Yu, Chung and Moreira, SC06; Knuth, TAOCP 7.2.1.1",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = grid_unsupported_reason,
          .map = [](const MappingProblem& problem, const SearchControl&) {
            return map_along(problem, snake_order);
          }};
}

}  // namespace vtopo::detail::mappers

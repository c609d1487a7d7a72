#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

/// Ranks in order onto the cells of a torus or mesh, last host dimension fastest, slots of a cell
/// in turn. Where guest and hosts have the same sizes up to order, each rank sits at its own
/// coordinates and every neighbour next door: the default order of the mapping files of Blue Gene/L
/// (H. Yu, I-H. Chung and J. Moreira, "Topology Mapping for Blue Gene/L Supercomputer", SC06).
MapperInfo rowmajor() {
  return {
      .name = "rowmajor",
      .summary =
          "rank coordinates are host coordinates if the sizes match, else both in row-major order",
      .reference = "Yu, Chung and Moreira, SC06",
      .needs = "a Cartesian guest on a torus or mesh",
      .unsupported_reason = grid_unsupported_reason,
      .map = [](const MappingProblem& problem, const SearchControl&) {
        return map_along(problem, row_major_order);
      }};
}

}  // namespace vtopo::detail::mappers

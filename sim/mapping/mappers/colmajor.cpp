#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

namespace {

Embedding map_colmajor(const MappingProblem& problem, const SearchControl&) {
  const HostGrid host = host_grid_of(problem);
  std::vector<HostId> hosts(
      host.slot_hosts.begin(),
      host.slot_hosts.begin() + static_cast<std::ptrdiff_t>(problem.guest.num_ranks()));
  return {std::move(hosts), problem.allocation};
}

}  // namespace

/// Ranks in order onto the cells of a torus or mesh, first host dimension fastest, slots of a cell
/// in turn: the order TXYZ of the mapping files of Blue Gene/L (H. Yu, I-H. Chung and J. Moreira,
/// "Topology Mapping for Blue Gene/L Supercomputer", SC06). Unlike `block` it does not depend on
/// the order in which hosts were allocated.
MapperInfo colmajor() {
  return {.name = "colmajor",
          .summary = "ranks in order onto host cells in column-major order",
          .reference = "Yu, Chung and Moreira, SC06",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = grid_unsupported_reason,
          .map = map_colmajor};
}

}  // namespace vtopo::detail::mappers

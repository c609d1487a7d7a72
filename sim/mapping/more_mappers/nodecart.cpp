#include <numeric>

#include "sim/mapping/more_mappers/layouts/tiles.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Undirected nearest-neighbour edges along d that tiles with this side cut; infinite if the side
/// does not divide the dimension.
double edges_cut(const Cartesian& grid, std::size_t d, int side) {
  const Dimension& dimension = grid.dimensions()[d];
  if (dimension.size % side != 0) return std::numeric_limits<double>::infinity();
  const bool whole = side == dimension.size;
  const int planes = dimension.size / side - (dimension.periodic() && !whole ? 0 : 1);
  return planes * (static_cast<double>(grid.num_ranks()) / dimension.size);
}

/// Sides of the host tile, or nothing if there is none.
std::optional<std::vector<int>> host_tile(const Cartesian& grid, int ranks_per_host) {
  return cheapest_box(ranks_per_host, grid.dimensions().size(),
                      [&](std::size_t d, int side) { return edges_cut(grid, d, side); });
}

std::optional<std::string> nodecart_unsupported_reason(const MappingProblem& problem) {
  if (auto missing = grid_missing(problem)) return missing;
  const HostFill fill(problem.allocation, problem.grid->num_ranks());
  const auto ranks = fill.uniform_ranks();
  if (!ranks) return "needs the same number of slots on every host";
  if (host_tile(*problem.grid, *ranks)) return std::nullopt;
  std::vector<std::string> sizes;
  for (const Dimension& dimension : problem.grid->dimensions())
    sizes.push_back(std::to_string(dimension.size));
  return fmt::format("finds no host tile: no box of {} ranks has sides that divide those of {}",
                     *ranks, join(sizes, "x"));
}

Embedding map_nodecart(const MappingProblem& problem, const SearchControl&) {
  const Cartesian& grid = *problem.grid;
  const HostFill fill(problem.allocation, grid.num_ranks());
  const auto sides = *host_tile(grid, *fill.uniform_ranks());
  std::vector<BoxCuts> cuts;
  for (std::size_t d = 0; d < sides.size(); ++d)
    cuts.push_back(cuts_every(sides[d], grid.dimensions()[d].size));
  std::vector<std::size_t> order(sides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return fill_hosts(walk_boxes(grid, cuts, order), problem.allocation);
}

}  // namespace

/// Each host takes a box of ranks whose sides divide the dimensions of the grid: of these the box
/// that cuts the fewest nearest-neighbour edges. Follows W. D. Gropp, "Using Node Information to
/// Implement MPI Cartesian Topologies" (EuroMPI 2018), which takes prime factors in turn; the tiles
/// come one after the other in snake order.
MapperInfo nodecart() {
  return {.name = "nodecart",
          .summary = "each host a box of ranks whose sides divide the grid",
          .reference = "Gropp, EuroMPI 2018",
          .needs = "a Cartesian guest, equal slots on every host",
          .unsupported_reason = nodecart_unsupported_reason,
          .map = map_nodecart,
          .work = {.microseconds_per_rank = 0.01, .microseconds_per_edge = 0.002}};
}

}  // namespace vtopo::detail::mappers

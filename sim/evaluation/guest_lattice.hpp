#pragma once

#include <optional>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// A grid that a guest turned out to be, whatever the order of its ranks.
struct GuestLattice {
  Cartesian grid;
  std::vector<Rank> cell_of;  ///< row-major rank in the grid, one entry per rank of the guest
};

/// The grid of up to six dimensions that the edges of a guest form, or those of at least some
/// volume: each cell has one rank, and those edges are exactly the ones between neighbouring cells.
/// A ring of four is taken for a 2x2 grid, which it is. O(edges) per volume looked at, of which
/// there are a few.
/// @returns nothing if no volume gives a grid of two ranks or more.
std::optional<GuestLattice> find_lattice(const Partners& partners);

}  // namespace vtopo::detail

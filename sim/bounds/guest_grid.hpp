#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Largest number of bytes of which all `volumes` are multiples; 0 if they are not whole numbers.
double whole_unit(std::span<const double> volumes);

/// What is a multiple of `unit` and at least `value` is at least this; rounding in the computation
/// of `value` (one part in 1e9) does not count. `value` itself where there is no unit.
double round_up(double value, double unit);

/// What is a multiple of `unit` and at most `value` is at most this.
double round_down(double value, double unit);

/// A dimension of a Cartesian grid within the guest.
struct GuestSide {
  int size = 2;
  bool wraps = false;  ///< only for sizes from 3 on
  double volume = 0;   ///< bytes, both ways, that every edge of the dimension has at least
};

/// Cartesian grid whose edges the guest has; the guest may have more edges and larger volumes: what
/// any set of ranks of the grid sends out, the guest sends too.
struct GuestGrid {
  std::vector<GuestSide> sides;  ///< the fastest first

  int num_ranks() const;
};

/// A grid that holds all ranks, or nothing if none is found: neither one whose ranks are numbered
/// as MPI numbers them, nor one that all edges from some volume on form (`find_lattice`).
std::optional<GuestGrid> find_guest_grid(const Partners& partners);

/// What `ranks` ranks must exchange with the others at least, in bytes both ways, by
/// edge-isoperimetric inequalities: Loomis and Whitney (1949) on the lines that a set meets,
/// Bollobas and Leader, "Edge-isoperimetric inequalities in the grid" (Combinatorica 1991), for
/// equal sides, Harper (1964) for hypercubes, and the second eigenvalue of the grid's Laplacian.
double least_grid_cut(const GuestGrid& grid, int ranks);

/// Upper bound of the volume, both ways, of the grid's edges within any set of `ranks` ranks.
double max_inside_grid(const GuestGrid& grid, int ranks);

/// Volume of all edges of the grid, both ways, each edge once.
double grid_volume(const GuestGrid& grid);

}  // namespace vtopo::detail

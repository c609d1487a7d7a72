#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/evaluation/guest_lattice.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/grids/host_grid.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo::detail {

/// Axis of a grid of numbered cells: neighbours along it differ by `stride`.
struct GridAxis {
  int size = 1;
  int stride = 1;

  friend bool operator==(const GridAxis&, const GridAxis&) = default;
};

/// Order in which to visit the cells of a grid: their numbers, the sums of coordinate times stride.
/// Every cell comes once. The last axis is the fastest.
using GridCurve = std::vector<int> (*)(std::span<const GridAxis> axes);

/// Lexicographic order of the coordinates.
std::vector<int> row_major_order(std::span<const GridAxis> axes);

/// Boustrophedon: each axis turns around where a slower one steps, so that consecutive cells are
/// neighbours (reflected Gray code in mixed radix; Knuth, TAOCP 7.2.1.1).
std::vector<int> snake_order(std::span<const GridAxis> axes);

/// Hilbert curve of the enclosing cube of side 2^m without the cells outside the grid (C. Hamilton
/// and A. Rau-Chaplin, "Compact Hilbert indices", Information Processing Letters 2008). Consecutive
/// cells are neighbours if the sizes are equal powers of two.
std::vector<int> hilbert_order(std::span<const GridAxis> axes);

/// Order of the interleaved bits of the coordinates, the first axis highest (G. M. Morton, 1966).
std::vector<int> morton_order(std::span<const GridAxis> axes);

/// A Cartesian guest and the grid of its hosts. Slots are numbered as in `HostGrid::slot_hosts`.
struct GridProblem {
  std::vector<GridAxis> guest;  ///< strides in ranks
  HostGrid host;

  /// Axes of the cells, strides in slots, first host dimension first.
  std::vector<GridAxis> cell_axes() const;
};

/// Why no mapper can see the hosts as a grid, or nothing.
std::optional<std::string> host_grid_unsupported_reason(const MappingProblem& problem);

/// Why a problem is not about a Cartesian guest on a grid of hosts, or nothing.
std::optional<std::string> grid_unsupported_reason(const MappingProblem& problem);

/// The hosts of a problem that `host_grid_unsupported_reason` accepts. Slots that no guest of this
/// size can fill are left out.
HostGrid host_grid_of(const MappingProblem& problem);

/// The problem as grids, if it can be seen so.
GridProblem grid_problem(const MappingProblem& problem);

/// The axes of the hosts (cells and slots of a cell) in the order of the guest's dimensions, if
/// both grids have the same sizes, up to order and dimensions of size 1. Of equal sizes, periodic
/// dimensions take wrapping ones first.
std::optional<std::vector<GridAxis>> matching_host_axes(const Cartesian& guest,
                                                        const HostGrid& host);

/// Ranks in the order of a curve through the guest onto slots in the order of the same curve
/// through the host cells, all slots of a cell in turn; identity where the grids match.
Embedding map_along(const MappingProblem& problem, GridCurve curve);
/// The same, for a problem whose grids are known.
Embedding map_along(const MappingProblem& problem, const GridProblem& grids, GridCurve curve);

/// The best of the embeddings of the grid that a guest is; nothing if it is none.
std::optional<Embedding> lattice_embedding(const MappingProblem& problem);

}  // namespace vtopo::detail

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/placement/embedding.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/grids/host_grid.hpp"
#include "sim/mapping/grids/space_filling.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail

#pragma once

#include <string>
#include <vector>

#include "netmodels/host_coordinates.hpp"

namespace vtopo {

/// Cells of hosts, routers and switches: what traffic between them has to pass are the links
/// between cells, of which there are few. Only where routes are walks along links from host to
/// host.
struct VertexCells {
  std::string name;  ///< as bounds report it: `groups`, `planes of dimension 0`
  int count = 0;     ///< cells are 0..count-1
  /// One entry per vertex, hosts first; -1, and vertices beyond the end: outside of all cells.
  std::vector<int> cell_of;
  /// What is cut off: with `path` and `ring` runs of cells, and then links join neighbouring cells
  /// only and no cell is -1; with `complete` single cells, whatever links there are.
  AxisKind joined = AxisKind::complete;
  /// Hops that a flow makes per cell whose boundary it crosses, with `path` and `ring` per two
  /// neighbouring cells. Over all families of a network no link may count for more than its hops.
  double hops = 0;

  /// Cell of a vertex; -1 outside of all cells.
  int of(int vertex) const {
    return vertex < static_cast<int>(cell_of.size()) ? cell_of[static_cast<std::size_t>(vertex)]
                                                     : -1;
  }
};

}  // namespace vtopo

#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/grids/host_grid.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// What ranks send that differ in one dimension of their grid, by both coordinates, summed over all
/// lines along it.
struct AxisTraffic {
  int size = 1;
  std::map<std::pair<int, int>, double> volume;  ///< sender and receiver
};

/// Traffic along every dimension, and whether there is no other.
struct GridTraffic {
  std::vector<AxisTraffic> axes;  ///< in the order of the dimensions
  bool is_all = true;
};
GridTraffic grid_traffic(const CommGraph& guest, const Cartesian& grid);

/// Where each coordinate of a dimension lies: slot = sum over dimensions of offset[coordinate].
using AxisOffsets = std::vector<int>;

/// A placement of a grid: offsets per dimension, and the sum of volume times hops, exact if hosts
/// are regular and all traffic is along dimensions.
struct AxisLayout {
  std::vector<AxisOffsets> offsets;
  double hop_bytes = 0;
};

/// What a search over layouts found.
struct AxisLayouts {
  std::vector<AxisLayout> best;  ///< best first
  double assignments = 0;        ///< of factors to places that there are
  bool complete = true;          ///< whether none was left out
};

/// Cuts the sizes of dimensions and of host places into prime factors and gives every factor of a
/// place to a dimension: every order of the dimensions, every split of a dimension over places and
/// every interleaving inside a place. Each dimension then has the best of its foldings: orders of
/// its factors, straight or reflected (boustrophedon), the outermost bent in half or not. The costs
/// of dimensions are independent of each other, so that branch and bound over them finds the
/// optimum of all.
/// @param whole_axes only dimensions as a whole, in any order, without foldings.
/// @param most layouts that are returned.
AxisLayouts best_axis_layouts(const Network& network, const HostRadices& radices,
                              const GridTraffic& traffic, bool whole_axes, std::size_t most);

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "sim/mapping/grids/grid_fold.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// A guest dimension to be folded.
struct FoldDimension {
  int size = 1;
  bool closed = false;  ///< whether its last coordinate talks to its first
  double volume = 1;    ///< bytes along the dimension, over the whole guest

  friend bool operator==(const FoldDimension&, const FoldDimension&) = default;
};

/// A folding of a guest grid: how each host axis is shared, how each guest dimension runs.
struct Folding {
  std::vector<FoldLayout> layouts;  ///< one entry per host axis
  std::vector<FoldPath> paths;      ///< one entry per guest dimension
  double hop_bytes = 0;  ///< between nearest neighbours; an estimate where hosts stay empty
};

/// Tries ways to factor the guest dimensions over the host axes, to nest the digits and to run
/// through them.
/// @returns at most `count` foldings of different cost, the cheapest first; none if no factoring
/// was found. The work is bounded and the same for equal input.
std::vector<Folding> find_foldings(const std::vector<FoldDimension>& guest,
                                   const std::vector<FoldAxis>& hosts, int count);

/// What is to be low on a host axis.
enum class FoldGoal {
  hop_bytes,
  loads,  ///< of its links
};

/// Exchanges positions on the host axes while that lowers hop-bytes or loads of a full folding:
/// nested digits are not always the best order of a grid on a ring.
void refine(Folding& folding, const std::vector<FoldDimension>& guest,
            const std::vector<FoldAxis>& hosts, FoldGoal goal);

}  // namespace vtopo::detail

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/cartesian.hpp"
#include "topology/mpi/dist_graph.hpp"

namespace vtopo {

/// How far away a partner is, one entry per dimension of the grid.
using GridOffset = std::vector<int>;

/// Which entry of a list of volumes an offset takes.
enum class VolumeClass {
  dimension,  ///< the dimension that the offset lies in: every offset lies in one
  corner      ///< the number of dimensions it leaves: faces first, then edges, then corners
};

/// Grid whose ranks all send to the same relative positions. Row-major ranks as in Cartesian;
/// offsets that lead out of an open dimension have no edge, periodic ones wrap. Two offsets that
/// meet in one rank (a periodic dimension of size 2) are two edges, an offset that leads back is a
/// self loop: as in the neighbourhood collectives of a Cartesian grid.
struct Stencil {
  Cartesian grid;                                     ///< gives the ranks their coordinates
  std::vector<GridOffset> offsets;                    ///< in the order in which a rank sends
  VolumeClass volume_class = VolumeClass::dimension;  ///< how volumes are assigned to offsets
  bool is_grid = false;  ///< the edges are those of the grid: nearest neighbours alone
};

/// Stencil of a specification `stencil:SIZES:NAME`, sizes as in `cart:` (p behind a size:
/// periodic); nothing if the kind is another one. Names:
/// - `neumann`: -1 and +1 in every dimension, the edges of `cart:` in the same order;
/// - `moore`: all 3^d-1 positions of the box around, in lexicographic order;
/// - `component`: -1 and +1 in dimension 0;
/// - `hops`: `neumann`, then -2, +2, -3 and +3 in dimension 0 ("nearest neighbour with hops").
/// `neumann`, `component` and `hops` are those of S. Hunold et al., "Efficient Process-to-Node
/// Mapping Algorithms for Stencil Computations" (CLUSTER 2020).
/// @throws UsageError for malformed sizes, an unknown name or more than 10 dimensions of `moore`.
std::optional<Stencil> parse_stencil(std::string_view spec);

/// Directed edges at most: as if every dimension were periodic.
double max_edges(const Stencil& stencil);

/// Traffic of one exchange.
/// @param volume bytes per directed edge: one entry for all or one per dimension; of `moore`, whose
/// neighbours are diagonal too, entry k is of offsets that leave k+1 dimensions (27 points: faces,
/// edges, corners).
/// @throws UsageError if the number of volumes is neither 1 nor the number of dimensions.
CommGraph make_comm_graph(const Stencil& stencil, std::span<const Bytes> volume);

/// Directed edges that a distributed graph may list: more would not fit into memory.
inline constexpr double max_listed_edges = 50e6;

/// The same edges as a distributed graph without weights.
/// @throws UsageError for a stencil of more than `max_listed_edges` edges.
DistGraph make_dist_graph(const Stencil& stencil);

}  // namespace vtopo

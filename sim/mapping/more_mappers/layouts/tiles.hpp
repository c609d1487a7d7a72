#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Ranks in the order in which they fill the hosts of an allocation, each rank once: what mappers
/// for several ranks per host decide.
using FillOrder = std::vector<Rank>;

/// Slots of the hosts that a guest fills, hosts in allocation order, each filled before the next.
class HostFill {
 public:
  HostFill(const Allocation& allocation, int num_ranks);

  int num_ranks() const { return static_cast<int>(host_of_position_.size()); }

  /// Hosts that take ranks.
  int num_hosts() const { return num_ranks() == 0 ? 0 : host_of_position_.back() + 1; }

  /// Position in the allocation of the host that takes the rank at `position` of a fill order.
  int host_at(int position) const { return host_of_position_[static_cast<std::size_t>(position)]; }

  /// Whether a host begins at `position`, or the guest ends there.
  bool is_boundary(int position) const {
    return position == 0 || position == num_ranks() || host_at(position - 1) != host_at(position);
  }

  /// Ranks on every host, the last one maybe less; nothing if hosts differ.
  std::optional<int> uniform_ranks() const { return uniform_; }

  /// Ranks per host by which shapes are chosen: the mean, rounded down, where hosts differ.
  int typical_ranks() const;

 private:
  std::vector<int> host_of_position_;
  std::optional<int> uniform_;
};

/// Embedding that fills the hosts in the given order.
Embedding fill_hosts(const FillOrder& order, const Allocation& allocation);

/// Directed edges of the guest that leave a host (Jsum), and the most for one host (Jmax).
struct LeavingEdges {
  std::int64_t sum = 0;
  std::int64_t most = 0;

  friend auto operator<=>(const LeavingEdges&, const LeavingEdges&) = default;
};

/// Leaving edges of the embedding that fills hosts in the given order.
LeavingEdges leaving_edges(const CommGraph& guest, const FillOrder& order, const HostFill& fill);

/// The order of least Jsum, then Jmax; the first of equals.
/// @param orders at least one.
FillOrder best_order(const CommGraph& guest, const HostFill& fill, std::vector<FillOrder> orders);

/// "needs a Cartesian grid" where the guest has none: `unsupported_reason` of these mappers.
std::optional<std::string> grid_missing(const MappingProblem& problem);

/// First coordinates of the boxes along one dimension, ascending, and the size of it at the end.
using BoxCuts = std::vector<int>;

/// Cuts every `side`; the last box may be shorter.
BoxCuts cuts_every(int side, int size);

/// Cuts into `parts` <= size boxes whose sides differ by at most one, the longer ones first.
BoxCuts even_cuts(int parts, int size);

/// How the cells inside a box follow one another.
enum class CellOrder { row_major, snake };

/// Ranks of a grid box after box. Boxes follow one another in reflected order, each next to the one
/// before it (snake); where a dimension is walked backwards, so are its cells.
/// @param cuts one entry per dimension.
/// @param slow_to_fast the dimensions, the one that changes least often first.
FillOrder walk_boxes(const Cartesian& grid, std::span<const BoxCuts> cuts,
                     std::span<const std::size_t> slow_to_fast, CellOrder cells = CellOrder::snake);

/// Sides of the box of `cells` cells with the smallest sum of `cost(d, side)`, or nothing if no box
/// has sides that are all allowed. A side is allowed if its cost is finite. Dimensions take small
/// sides first among equals.
std::optional<std::vector<int>> cheapest_box(int cells, std::size_t dimensions,
                                             const std::function<double(std::size_t, int)>& cost);

/// What decides the shape of host tiles: the distinct relative positions to which ranks of a grid
/// send, taken from the edges of the guest (the list k of neighbours in Hunold et al., CLUSTER
/// 2020). Edges across the end of a periodic dimension count as the short way; of two equal ways
/// as the positive one. Self loops are left out; without any edge, nearest neighbours are assumed.
class GuestStencil {
 public:
  /// @param guest with the ranks of `grid`.
  GuestStencil(const CommGraph& guest, const Cartesian& grid);

  /// Distinct offsets, in the order in which edges show them first.
  const std::vector<std::vector<int>>& offsets() const { return offsets_; }

  /// Offsets that leave the plane of a rank orthogonal to dimension d.
  int num_crossing(std::size_t d) const;

  /// Sum over the offsets of their length along d: directed edges of one rank that a plane
  /// orthogonal to d cuts, far from the ends of the grid.
  int cut_edges(std::size_t d) const;

  /// Sum over the offsets of cos^2 of their angle to dimension d: how much communication is
  /// parallel to d (section V.A of the paper).
  double parallelism(std::size_t d) const;

  /// Sides of the bounding box of the offsets relative to a cube of the same volume, flat
  /// dimensions apart; 0 for those (section V.C of the paper).
  std::vector<double> distortion() const;

 private:
  std::size_t num_dimensions_;
  std::vector<std::vector<int>> offsets_;
};

}  // namespace vtopo::detail

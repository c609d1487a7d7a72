#pragma once

#include <vector>

#include "topology/mpi/virtual_topology.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

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

#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Links of a network that join two vertices, as searches for cuts see them. Internal to this room.
struct JoinedVertices {
  std::vector<LinkEnds> sides;     ///< of each link, in the order of link ids, loopbacks left out
  std::vector<double> bandwidths;  ///< one entry per link; infinite where flows do not share it
  int num_vertices = 0;            ///< hosts come first

  /// @return nothing where it is not known between which vertices some link lies.
  static std::optional<JoinedVertices> of(const Network& network);
};

/// A vertex and how well another one is joined with it.
using WeightedNeighbour = std::pair<int, double>;
/// Neighbours of each vertex, ascending, each once; the weight is the sum of the joining links.
using WeightedNeighbours = std::vector<std::vector<WeightedNeighbour>>;

/// Sorts a row and joins its entries of one neighbour.
void merge_neighbours(std::vector<WeightedNeighbour>& row);

/// The graph whose vertices are cells: `cell_of` has one entry per vertex, -1 leaves it out.
WeightedNeighbours joined_cells(const JoinedVertices& links, const std::vector<int>& cell_of,
                                int count);

}  // namespace vtopo::detail

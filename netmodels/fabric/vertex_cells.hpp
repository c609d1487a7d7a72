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

/// Communities of a graph, from small ones to large ones: each entry has the community of every
/// vertex, numbered by their first vertices. Vertices move to the neighbouring community that
/// raises the modularity most, then communities become the vertices of a smaller graph, until no
/// move helps (V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre: Fast unfolding of
/// communities in large networks, J. Stat. Mech. 2008). Deterministic: vertices in ascending
/// order, ties to the lowest community. The groups of a dragonfly are such communities.
///
/// @return nothing where no two vertices belong together; O(links) per sweep.
std::vector<std::vector<int>> communities(WeightedNeighbours graph);

/// What the edges of one factor lie between.
struct FactorCells {
  std::vector<int> cell_of;  ///< one entry per vertex; along a ring one after the other
  int count = 0;             ///< cells are 0..count-1
  /// How these edges join the cells; nothing: neither all pairs nor a ring.
  std::optional<AxisKind> joined = {};
};

/// The cells of each factor of a connected graph: edges are of one factor if they are related by
/// d(a,c) + d(b,d) != d(a,d) + d(b,c), for edges a-b and c-d, or by a chain of such edges; without
/// the edges of a factor the graph falls into its cells, and the distance of two vertices is the
/// sum over factors of the distance of their cells (R. L. Graham, P. M. Winkler: On isometric
/// embeddings of graphs, Trans. AMS 288, 1985). For a HyperX these are the planes of each
/// dimension, for a mesh or an even ring the cuts between two halves. One of the edges of a
/// relation may be taken from a spanning tree (T. Feder: Product graph representations, J. Graph
/// Theory 16, 1992), hence O(vertices x edges) time and O(edges) memory. Weights do not count.
///
/// @return one entry per factor, with the cell of every vertex; nothing for a graph with one
///   factor that is not a ring, that is not connected or that needs more than `max_steps` steps.
std::vector<FactorCells> isometric_cells(const WeightedNeighbours& neighbours, double max_steps);

}  // namespace vtopo::detail

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Arrows of one kind between ranks.
struct RankArrows {
  std::string name;                          ///< `shift along dimension 0 by 1`
  std::vector<std::pair<Rank, Rank>> pairs;  ///< from, to
  int missing = 0;                           ///< ranks without a partner: MPI_PROC_NULL
};

/// Words at a rank: which neighbour of another one it is.
struct RankLabel {
  Rank rank{};
  std::string text;  ///< `-d0`, `+d0`, `3rd`
};

/// A virtual topology and what to show of it.
struct TopologyPicture {
  std::string title;
  std::vector<Dimension> dimensions;  ///< of a grid; none: a graph
  CommGraph graph;                    ///< edges that are drawn thin; of the ranks
  std::vector<RankArrows> arrows;
  std::vector<Rank> asked;        ///< ranks whose neighbours are named
  std::vector<RankLabel> labels;  ///< of these neighbours
  /// Sub-communicators, each in a colour.
  std::vector<std::vector<Rank>> communicators;
};

/// Most ranks that a picture has room for.
inline constexpr int max_drawn_ranks = 1024;

/// SVG element: a box per rank with its number and coordinates, the last dimension from left to
/// right, the one before downwards, planes of further ones side by side with short strokes between
/// them; the ranks of a graph on a circle. No line crosses a box of a grid.
/// @throws UsageError for more than `max_drawn_ranks` ranks.
std::string draw_topology(const TopologyPicture& picture);

/// The picture as an HTML page that needs nothing else, with the answers of MPI below it.
std::string render_topology_page(const TopologyPicture& picture, std::string_view answers);

}  // namespace vtopo::detail

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "topology/comm_graph.hpp"

namespace vtopo {

/// Random geometric graph: points drawn uniformly in the unit square, joined where they are close
/// (E. N. Gilbert, "Random Plane Networks", 1961). Stands for an irregular mesh whose ranks are
/// numbered at random.
struct RandomGeometric {
  int num_ranks = 0;       ///< points, each a rank
  int degree = 8;          ///< partners of a rank far from the border, on average
  std::uint64_t seed = 1;  ///< of positions and volumes
};

/// Graph of a specification `rgg:RANKS:DEGREE:SEED`, such as `rgg:4096:8:1`; nothing if the kind is
/// another one.
/// @throws UsageError for numbers outside 1..16777216 (ranks), 1..1000 (degree), 0.. (seed).
std::optional<RandomGeometric> parse_random_geometric(std::string_view spec);

/// Directed edges to expect.
double max_edges(const RandomGeometric& graph);

/// Traffic of one exchange: both ends of an edge send the same volume, drawn from 1, 2, ... 10
/// times `unit`. Edges of a rank by destination, ascending. Equal seeds give equal graphs on every
/// machine: positions are whole numbers.
CommGraph make_comm_graph(const RandomGeometric& graph, Bytes unit);

}  // namespace vtopo

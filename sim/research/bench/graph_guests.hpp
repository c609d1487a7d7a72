#pragma once

#include <optional>
#include <string_view>

#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Guests of benchmarks that are not a virtual topology: one byte each way along every edge.
/// - `regular:RANKS:DEGREE:SEED`: a random regular graph (pairs of stubs, repaired by
///   exchanges); with an odd number of ends, one rank has a partner less.
/// - `rmat:RANKS:DEGREE:SEED`: R-MAT (Chakrabarti, Zhan, Faloutsos 2004; a, b, c = 0.57, 0.19, 0.19
///   as in Graph500), ranks a power of two; an edge that is drawn again has more bytes.
/// - `power:RANKS:DEGREE:SEED`: preferential attachment (Barabasi and Albert 1999).
/// - `delaunay:RANKS:SEED`: Delaunay triangulation of random points in a square.
/// - `fem:RANKS:SEED`: vertices of a tetrahedral mesh of a ball with a rough surface, in random
///   order; partners share a tetrahedron.
/// Nothing if `spec` is of another kind.
/// @throws UsageError if a number is missing or out of range.
std::optional<CommGraph> make_graph_guest(std::string_view spec);

}  // namespace vtopo::detail

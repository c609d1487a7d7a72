#pragma once

#include <string>

#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Reads `graph:FILE`: one line `rank: neighbour neighbour ...` per rank, in rank order from 0;
/// blank lines and `#` comments are skipped.
/// @throws InputError with file, line and column.
Graph read_graph_file(const std::string& path);

/// Reads `dist:FILE`: one line `source destination [weight]` per directed edge, weights on all
/// lines or on none; blank lines and `#` comments are skipped; max id + 1 ranks.
/// @throws InputError with file, line and column.
DistGraph read_dist_graph_file(const std::string& path);

}  // namespace vtopo::detail

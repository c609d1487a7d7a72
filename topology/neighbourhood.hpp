#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/cartesian.hpp"
#include "topology/comm_graph.hpp"
#include "topology/dist_graph.hpp"
#include "topology/graph.hpp"

namespace vtopo {

/// Neighbours of `rank` in the order of MPI neighbourhood collectives (MPI-5.0 section 8.6): per
/// dimension first the negative, then the positive direction; no value where an open grid ends.
std::vector<std::optional<Rank>> neighbours(const Cartesian& grid, Rank rank);

/// Halo exchange: every rank sends to each of its neighbours. Periodic dimensions of size 1 give
/// self loops, of size 2 two parallel edges, as MPI has them.
/// @param volume bytes per directed edge, one entry for all dimensions or one per dimension.
/// @throws UsageError if the number of volumes is neither 1 nor the number of dimensions.
CommGraph make_comm_graph(const Cartesian& grid, std::span<const Bytes> volume);

/// Every rank sends `volume` bytes to each of its neighbours.
CommGraph make_comm_graph(const Graph& graph, Bytes volume);

/// Every edge carries its weight times `volume` bytes.
CommGraph make_comm_graph(const DistGraph& graph, Bytes volume);

}  // namespace vtopo

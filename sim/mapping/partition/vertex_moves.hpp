#pragma once

#include <functional>
#include <vector>

#include "sim/mapping/partition/guest_bisection.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Takes vertices off hosts that have more ranks than slots, as far as vertices are small enough,
/// each to the host with room where it costs the fewest hop-bytes; then moves vertices to hosts of
/// their neighbours that have room, as long as that lowers the hop-bytes: label propagation with
/// sizes, as in H. Meyerhenke, P. Sanders and C. Schulz, "Partitioning Complex Networks via
/// Size-Constrained Clustering" (SEA 2014), with hops for labels.
/// @param places one entry per vertex.
/// @param must_stop ends the moves that only lower hop-bytes; may be empty.
void move_vertices(const WeightedGraph& graph, const HopTable& table, const Allocation& allocation,
                   std::vector<Place>& places, const std::function<bool()>& must_stop);

}  // namespace vtopo::detail

#pragma once

#include <functional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Moves ranks until no host has more weight than `most`, each time what costs the fewest hop-bytes
/// for the weight that goes, then moves and exchanges ranks as long as that lowers hop-bytes (after
/// Fiduccia and Mattheyses, DAC 1982, without their uphill steps). No host gets more ranks than it
/// has slots.
/// @param weights one entry per rank.
/// @param must_stop ends moves that only lower hop-bytes; may be empty.
/// @throws FitError if a rank is heavier than `most`, or no such placement is found.
Embedding balance_weights(const CommGraph& guest, const Network& network,
                          const Allocation& allocation, const Embedding& start,
                          const std::vector<double>& weights, double most,
                          const std::function<bool()>& must_stop = {});

}  // namespace vtopo::detail

#pragma once

#include <functional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Embedding from places that may hold more ranks than slots. Overfull hosts, in the order of the
/// allocation, give ranks away one by one, always the one whose move costs the fewest hop-bytes: to
/// a host of its partners or to the nearest one with a free slot (of equal ones the first in the
/// allocation).
/// @param places one entry per rank.
/// @throws FitError if there are more ranks than slots.
Embedding without_overfull_hosts(const Partners& partners, const HopTable& table,
                                 const Allocation& allocation, std::vector<Place> places);

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

#pragma once

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::overlay {

/// What one exchange over a virtual topology costs. A constructor does not hear whether the program
/// will send to all neighbours at once (a neighbourhood collective) or to one after the other (a
/// shift in each direction), so both are counted; nor how much, so that the mean edge carries
/// `usual_message`. Times are those of the busiest link and of the longest route.
struct ExchangeCost {
  Bytes hop_bytes;       ///< volumes as the guest has them
  Seconds at_once;       ///< all edges together
  Seconds turn_by_turn;  ///< the first edges of all ranks, then the second ones, ...
};

/// What the mean edge carries: routes count little in it, but they decide between equal loads.
inline constexpr Bytes usual_message{8192};

/// Counts both ways.
ExchangeCost exchange_cost(const CommGraph& guest, const Network& network,
                           const Embedding& embedding);

/// Whether a new order is worth it: hop-bytes or a time falls by more than `min_gain` (0.02: 2 %),
/// and none of them grows: so the exchange loses nothing, whichever way the program makes it. Both
/// costs are of the same guest.
bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain);

}  // namespace vtopo::overlay

#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::overlay {

/// What one exchange over a virtual topology costs. A constructor does not hear whether the program
/// will send to all neighbours at once (a neighbourhood collective) or to one after the other (a
/// shift in each direction), so both are counted.
struct ExchangeCost {
  Bytes hop_bytes;
  Seconds at_once;               ///< congestion of the most loaded link, all edges together
  std::vector<Seconds> in_turn;  ///< the same for the first edges of all ranks, for the second, ...
};

/// Counts both ways; volumes are those of the guest.
ExchangeCost exchange_cost(const CommGraph& guest, const Network& network,
                           const Embedding& embedding);

/// Whether hop-bytes or the congestion of all edges falls by 5 % and no figure grows. Both costs
/// are of the same guest.
bool is_gain(const ExchangeCost& before, const ExchangeCost& after);

}  // namespace vtopo::overlay

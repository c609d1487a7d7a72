#pragma once

#include <string>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Rough time that `simulate` will need: SimGrid solves the sharing of all links anew whenever a
/// flow ends, so it is flows x hops x distinct finish times. Flows are taken to finish together if
/// they have the same volume, the same number of flows on their most crowded link and in sum on
/// their route. Fitted to measurements on one machine; the order of magnitude is what counts.
/// @throws UsageError as `simulate` for a network that may split flows.
Seconds estimate_simulation_time(const CommGraph& guest, const Network& network,
                                 const Embedding& embedding);

/// Human-readable duration, whole numbers: `90 s`, `4 min`, `3 h`.
std::string format_duration(Seconds time);

}  // namespace vtopo::detail

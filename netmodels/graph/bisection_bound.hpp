#pragma once

#include <optional>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Lower bound of the bisection by a flow that exists (T. Leighton and S. Rao, J. ACM 46, 1999):
/// where each host can send x bytes per second to each other one, at once and along some paths,
/// any cut between a and b hosts carries a b x. Traffic takes all paths with the fewest links,
/// evenly or in proportion to their bandwidths, whichever gives more. As only the a b pairs across
/// a cut send, no host puts more than what it sends to the larger half on any link.
/// @returns nothing where that would take more than about 3e8 steps; 0 where hosts are not joined.
std::optional<BytesPerSecond> bisection_lower_bound(const LinkGraph& graph, const Network& network);

/// Bytes per second that each host can send to each other one, all at once, along paths with the
/// fewest links as above: any cut between a and b hosts carries a b times as much. Nothing and 0 as
/// above.
std::optional<BytesPerSecond> uniform_traffic_rate(const LinkGraph& graph, const Network& network);

}  // namespace vtopo::detail

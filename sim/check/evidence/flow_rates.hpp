#pragma once

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/check/evidence/json_lists.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// `[[link,rate],...]` of the flows of a burst at its start, in the order of the edges with a
/// volume between two hosts: bytes per second under max-min sharing, and a link of the flow that is
/// full and on which no flow is faster; null where no link limits the flow.
void write_flow_rates(const CommGraph& guest, const Network& network, const Embedding& embedding,
                      JsonLists& json);

}  // namespace vtopo::detail

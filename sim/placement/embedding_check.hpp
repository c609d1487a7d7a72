#pragma once

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// @throws UsageError unless the embedding has the ranks of the guest, on hosts of the network.
void check_embedding(const CommGraph& guest, const Network& network, const Embedding& embedding);

}  // namespace vtopo::detail

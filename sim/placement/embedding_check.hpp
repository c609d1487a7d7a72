#pragma once

#include <span>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// @throws UsageError unless the embedding has the ranks of the guest, on hosts of the network.
void check_embedding(const CommGraph& guest, const Network& network, const Embedding& embedding);

/// The hosts on which ranks sit, ascending, with a slot for each of their ranks.
/// @param hosts one entry per rank.
Allocation allocation_for(std::span<const HostId> hosts);

}  // namespace vtopo::detail

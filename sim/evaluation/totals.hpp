#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What `evaluate` finds, without `links`, or with them where that takes no longer: fast where few
/// of the links of a large network are used.
Metrics evaluate_totals(const CommGraph& guest, const Network& network, const Embedding& embedding);

/// What hosts send each other, in the order of the edges.
std::vector<HostFlow> host_flows(const CommGraph& guest, const Embedding& embedding);

/// The network as the traffic of an embedding meets it (`Network::routed`); null where routes do
/// not depend on traffic.
std::shared_ptr<const Network> routed_for(const CommGraph& guest, const Network& network,
                                          const Embedding& embedding);

}  // namespace vtopo::detail

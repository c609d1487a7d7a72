#pragma once

#include <span>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// Flows of a CSV file with the header `src_host,dst_host,bytes`; hosts by name or number, `#`
/// starts a comment.
/// @throws InputError with file, line and column for another header, unknown hosts, hosts that are
/// down, flows inside a host and volumes that are not >= 0.
std::vector<HostFlow> read_host_flows(const std::string& path, const Network& network);

/// What several ranks on hosts of a machine send, whosever they are.
struct PlacedTraffic {
  CommGraph guest;      ///< what they send each other
  Embedding embedding;  ///< on which hosts they run
};

/// The flows as traffic of ranks, one rank per host.
PlacedTraffic placed_traffic(std::span<const HostFlow> flows);

/// Traffic of both: the ranks of `job` keep their numbers, those of `others` follow.
PlacedTraffic beside(const CommGraph& job, const Embedding& embedding, const PlacedTraffic& others);

/// Metrics of a job in background traffic: loads of links count all traffic, but the busiest link
/// is that of the links which carry traffic of the job, and so are the most flows, and no others
/// are listed; means are over all links. Those of hops and volumes are the job's alone.
/// @param job of the job alone; @param all of `beside`.
Metrics beside_others(Metrics job, const Metrics& all);

}  // namespace vtopo

#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What one rank sends another, and the links that it takes.
struct RoutedFlow {
  Rank source{}, destination{};
  Bytes volume;
  std::vector<LinkId> links;  ///< each once; none inside a host
};

/// Flows of a row, for pictures in which a link is picked to see its flows, or a rank to see its
/// routes.
struct RowFlows {
  std::vector<HostId> host_of_rank;  ///< empty above 8,192 ranks
  std::vector<RoutedFlow> flows;     ///< empty above 8,192 edges or 30,000 links of all routes
};

/// Gathers flows with their routes, of those routings that follow the traffic the ones that this
/// traffic takes.
RowFlows row_flows(const CommGraph& guest, const Network& network, const Embedding& embedding);

}  // namespace vtopo::detail

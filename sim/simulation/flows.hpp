#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// A guest edge between two hosts, as the simulator plays it.
struct Flow {
  Rank source{};
  Rank destination{};
  Bytes volume;     ///< > 0
  Seconds latency;  ///< sum over the links of its route
};

/// A guest edge inside a host: it never reaches SimGrid, which would abort on it.
struct LocalMessage {
  Rank source{};
  Rank destination{};
  Bytes volume;
};

/// Everything that a replay needs: edges of volume 0 send nothing and appear nowhere.
struct FlowSet {
  std::vector<Flow> flows;
  std::vector<LocalMessage> local;
  std::vector<HostId> hosts;  ///< that take part in flows, ascending
  std::vector<LinkId> links;  ///< on the routes of flows, ascending
};

/// Routes whose links the simulator asks for: with cross traffic also those back to the sources.
enum class RoutesUsed { forth, forth_and_back };

/// @throws InputError if a route that a flow needs does not exist.
FlowSet make_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                   RoutesUsed routes_used);

}  // namespace vtopo

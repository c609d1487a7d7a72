#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// A guest edge between two hosts, as the simulator replays it.
struct Flow {
  Rank source{};
  Rank destination{};
  Bytes volume;  ///< > 0
  /// Sum over the links of its route, each by the share of the flow that takes it, and of the flow
  /// itself (`Network::flow_latency`).
  Seconds latency;
};

/// A guest edge inside a host: it never reaches SimGrid, which would abort on it.
struct LocalMessage {
  Rank source{};
  Rank destination{};
  Bytes volume;
};

/// Everything that a replay needs: edges that are not sent appear nowhere.
struct FlowSet {
  std::vector<Flow> flows;
  std::vector<LocalMessage> local;
  std::vector<HostId> hosts;  ///< that take part in flows, ascending
  std::vector<LinkId> links;  ///< on the routes of flows, ascending
};

/// @throws UsageError with the sentence of `why_not_simulated` on SimGrid, if there is one.
void check_one_route_per_flow(const Network& network);

/// Calls `visit(source, edge, from, to)` for every edge that becomes a flow: one that is sent,
/// between two hosts.
template <class Visitor>
void for_each_sent(const CommGraph& guest, const Embedding& embedding, Visitor&& visit) {
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to && is_sent(edge)) visit(source, edge, from, to);
  });
}

/// Calls `visit(source, edge, route)` for every edge that becomes a flow: one that is sent,
/// between two hosts. The route is a vector that is used again for the next edge; the visitor may
/// change it.
/// @throws UsageError if the network may split flows.
template <class Visitor>
void for_each_flow(const CommGraph& guest, const Network& network, const Embedding& embedding,
                   Visitor&& visit) {
  check_one_route_per_flow(network);
  std::vector<LinkId> route;
  for_each_sent(guest, embedding, [&](Rank source, const CommEdge& edge, HostId from, HostId to) {
    route.clear();
    network.append_route(from, to, route);
    visit(source, edge, route);
  });
}

/// The same with the links of all routes of the flow, on any network.
template <class Visitor>
void for_each_split_flow(const CommGraph& guest, const Network& network, const Embedding& embedding,
                         Visitor&& visit) {
  std::vector<LinkShare> shares;
  for_each_sent(guest, embedding, [&](Rank source, const CommEdge& edge, HostId from, HostId to) {
    shares.clear();
    network.append_shares(from, to, shares);
    visit(source, edge, shares);
  });
}

/// Routes whose links the simulator asks for: with cross traffic also those back to the sources.
enum class RoutesUsed { forth, forth_and_back };

/// @throws InputError if a route that a flow needs does not exist, UsageError if the network may
/// split flows.
FlowSet make_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                   RoutesUsed routes_used);

/// Flows that start together and the links that they share, numbered densely from 0. A flow at rate
/// r takes r times its share of each of its links.
struct SharedFlows {
  std::vector<double> volume;        ///< bytes, > 0
  std::vector<std::uint64_t> first;  ///< one more than flows: where the links of a flow begin
  std::vector<std::int32_t> links;   ///< of all flows, one after the other
  std::vector<double> capacity;      ///< of each link, bytes per second, > 0
  std::vector<double> shares = {};   ///< one per entry of `links`, > 0; empty: all of them are 1

  std::size_t num_flows() const { return volume.size(); }

  std::span<const std::int32_t> links_of(std::size_t flow) const {
    return {links.data() + first[flow], links.data() + first[flow + 1]};
  }

  /// Of the flow whose links the entry of `links` is among.
  double share(std::uint64_t entry) const { return shares.empty() ? 1 : shares[entry]; }
};

/// Flows of an embedding for the solver, in the order of `for_each_flow`, with what the result
/// needs.
struct FlowPhase {
  SharedFlows shared;
  std::vector<Flow> flows;
  std::vector<LocalMessage> local;
};

/// A fatpipe link gives its bandwidth whole to each flow: it becomes a link of that flow alone.
/// @throws InputError if a route that a flow needs does not exist, SimulationError if the flows
/// need more memory than the machine has, or `stop`, asked now and then, says so.
FlowPhase make_flow_phase(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const std::function<bool()>& stop = {});

}  // namespace vtopo::detail

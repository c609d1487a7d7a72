#include "sim/clock/sharing/flows.hpp"

#include "sim/clock/simulate.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Ids marked in `used`, ascending.
template <class Id>
std::vector<Id> marked(const std::vector<bool>& used) {
  std::vector<Id> ids;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) ids.push_back(id_at<Id>(i));
  return ids;
}

}  // namespace

void check_one_route_per_flow(const Network& network) {
  if (const auto sentence = why_not_simulated(network, Solver::simgrid))
    throw UsageError(*sentence);
}

FlowSet make_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                   RoutesUsed routes_used) {
  FlowSet set;
  std::vector<bool> used_hosts(static_cast<std::size_t>(network.num_hosts()));
  std::vector<bool> used_links(static_cast<std::size_t>(network.num_links()));
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const bool local = embedding.host_of(source) == embedding.host_of(edge.destination);
    if (local && edge.volume.value > 0)
      set.local.push_back({source, edge.destination, edge.volume});
  });
  for_each_flow(guest, network, embedding,
                [&](Rank source, const CommEdge& edge, std::vector<LinkId>& route) {
                  const HostId from = embedding.host_of(source),
                               to = embedding.host_of(edge.destination);
                  Flow flow{source, edge.destination, edge.volume, network.flow_latency(from, to)};
                  for (const LinkId link : route) flow.latency += network.link(link).latency;
                  if (routes_used == RoutesUsed::forth_and_back)
                    network.append_route(to, from, route);
                  for (const LinkId link : route) used_links[index(link)] = true;
                  used_hosts[index(from)] = used_hosts[index(to)] = true;
                  set.flows.push_back(flow);
                });
  set.hosts = marked<HostId>(used_hosts);
  set.links = marked<LinkId>(used_links);
  return set;
}

}  // namespace vtopo::detail

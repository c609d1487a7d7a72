#include "sim/evaluation/routed_traffic.hpp"

namespace vtopo::detail {

std::vector<HostFlow> host_flows(const CommGraph& guest, const Embedding& embedding) {
  std::vector<HostFlow> flows;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to && edge.volume.value > 0) flows.push_back({from, to, edge.volume});
  });
  return flows;
}

std::shared_ptr<const Network> routed_for(const CommGraph& guest, const Network& network,
                                          const Embedding& embedding) {
  if (!depends_on_traffic(network.routing())) return nullptr;
  return network.routed(host_flows(guest, embedding));
}

}  // namespace vtopo::detail

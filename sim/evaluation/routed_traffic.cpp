#include "sim/evaluation/routed_traffic.hpp"

#include <vector>

namespace vtopo {

std::shared_ptr<const Network> routed_for(const CommGraph& guest, const Network& network,
                                          const Embedding& embedding) {
  if (!depends_on_traffic(network.routing())) return nullptr;
  std::vector<HostFlow> flows;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to && edge.volume.value > 0) flows.push_back({from, to, edge.volume});
  });
  return network.routed(flows);
}

}  // namespace vtopo

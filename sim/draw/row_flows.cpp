#include "sim/draw/row_flows.hpp"

#include <algorithm>

#include "sim/evaluation/totals.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_ranks = 8192;
constexpr std::size_t max_edges = 8192;
constexpr std::size_t max_route_links = 30000;

std::vector<LinkId> links_between(const Network& network, HostId source, HostId destination) {
  std::vector<LinkShare> shares;
  if (source != destination) network.append_shares(source, destination, shares);
  std::vector<LinkId> links;
  links.reserve(shares.size());
  for (const LinkShare& share : shares) links.push_back(share.link);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace

RowFlows row_flows(const CommGraph& guest, const Network& network, const Embedding& embedding) {
  RowFlows result;
  if (guest.num_ranks() > max_ranks) return result;
  for (int r = 0; r < guest.num_ranks(); ++r)
    result.host_of_rank.push_back(embedding.host_of(Rank{r}));
  if (guest.num_edges() > max_edges) return result;
  const auto routed = routed_for(guest, network, embedding);
  const Network& taken = routed ? *routed : network;
  std::size_t route_links = 0;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (route_links > max_route_links) return;
    auto links =
        links_between(taken, embedding.host_of(source), embedding.host_of(edge.destination));
    route_links += links.size();
    result.flows.push_back({source, edge.destination, edge.volume, std::move(links)});
  });
  if (route_links > max_route_links) result.flows.clear();
  return result;
}

}  // namespace vtopo::detail

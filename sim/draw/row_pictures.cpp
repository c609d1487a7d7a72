#include "sim/draw/row_pictures.hpp"

#include <algorithm>

#include "sim/draw/charts.hpp"
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

constexpr int listed_links = 10;

std::vector<ReportedLink> heaviest_links(const Network& network, const Metrics& metrics) {
  const std::vector<LinkClass> kinds = network.link_classes();
  std::vector<ReportedLink> list;
  for (const LinkId link : most_loaded_links(metrics, listed_links)) {
    list.push_back({network.link_name(link), metrics.links[index(link)]});
    if (kinds.size() > 1)
      list.back().kind = kinds[static_cast<std::size_t>(network.link_class(link))].name;
  }
  return list;
}

std::vector<std::pair<LinkId, LinkLoad>> used_links(const Metrics& metrics) {
  constexpr std::size_t max_used = 16384;
  std::vector<std::pair<LinkId, LinkLoad>> used;
  for (std::size_t l = 0; l < metrics.links.size() && used.size() <= max_used; ++l)
    if (metrics.links[l].flows > 0) used.emplace_back(id_at<LinkId>(l), metrics.links[l]);
  if (used.size() > max_used) used.clear();
  return used;
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

PictureSource::PictureSource(const CommGraph& guest, std::shared_ptr<const Network> network)
    : network_(std::move(network)), traffic_by_rank_(vtopo::detail::traffic_by_rank(guest)) {}

void PictureSource::add(const CommGraph& guest, const Embedding& embedding, const Metrics& metrics,
                        RankTimeline timeline) {
  RowPictures row;
  row.link_cells = link_cells(*network_, metrics);
  row.traffic = traffic_by_host(guest, *network_, embedding);
  row.load_quantiles = load_quantiles(metrics.links);
  row.top_links = heaviest_links(*network_, metrics);
  row.used = used_links(metrics);
  row.flows = row_flows(guest, *network_, embedding);
  row.timeline = std::move(timeline);
  rows_.push_back(std::move(row));
}

}  // namespace vtopo::detail

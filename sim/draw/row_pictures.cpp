#include "sim/draw/row_pictures.hpp"

#include <utility>

#include "sim/draw/link_cells.hpp"
#include "sim/draw/load_curve.hpp"
#include "sim/draw/traffic_matrix.hpp"

namespace vtopo::detail {

namespace {

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

PictureSource::PictureSource(const CommGraph& guest, std::shared_ptr<const Network> network)
    : network_(std::move(network)),
      layout_(drawable_layout(*network_)),
      traffic_by_rank_(vtopo::detail::traffic_by_rank(guest)) {}

void PictureSource::add(const CommGraph& guest, const Embedding& embedding, const Metrics& metrics,
                        RankTimeline timeline) {
  RowPictures row;
  if (layout_) row.cables = cable_loads(*layout_, metrics);
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

#include "sim/evaluation/metrics.hpp"

#include <algorithm>
#include <utility>

namespace vtopo {

namespace {

/// Walks the routes of all guest edges and counts.
class Walk {
 public:
  Walk(const Network& network, const Embedding& embedding)
      : network_(network),
        embedding_(embedding),
        leaving_(static_cast<std::size_t>(network.num_hosts()), 0) {
    const auto num_links = static_cast<std::size_t>(network.num_links());
    metrics_.links.resize(num_links);
    is_hop_.reserve(num_links);
    bool any_fatpipe = false;
    for (std::size_t l = 0; l < num_links; ++l) {
      const LinkProperties link = network.link(id_at<LinkId>(l));
      is_hop_.push_back(link.counts_as_hop);
      any_fatpipe = any_fatpipe || link.sharing == LinkSharing::fatpipe;
    }
    if (any_fatpipe) largest_.resize(num_links);
  }

  void add(Rank source, const CommEdge& edge) {
    ++metrics_.edges;
    metrics_.total_volume += edge.volume;
    const HostId from = embedding_.host_of(source);
    const HostId to = embedding_.host_of(edge.destination);
    int hops = 0;
    if (from == to) {
      metrics_.intra_host_volume += edge.volume;
    } else {
      ++metrics_.jsum;
      ++leaving_[index(from)];
      hops = travel(from, to, edge.volume);
    }
    sum_of_hops_ += hops;
    metrics_.max_dilation = std::max(metrics_.max_dilation, hops);
    metrics_.hop_bytes += edge.volume * hops;
    const auto entry = static_cast<std::size_t>(hops);
    if (entry >= metrics_.hop_histogram.size()) metrics_.hop_histogram.resize(entry + 1, 0);
    ++metrics_.hop_histogram[entry];
  }

  Metrics result() && {
    if (metrics_.edges > 0)
      metrics_.mean_dilation =
          static_cast<double>(sum_of_hops_) / static_cast<double>(metrics_.edges);
    if (metrics_.total_volume.value > 0)
      metrics_.mean_hops_per_byte = metrics_.hop_bytes.value / metrics_.total_volume.value;
    if (!leaving_.empty()) metrics_.jmax = *std::max_element(leaving_.begin(), leaving_.end());
    finish_links();
    return std::move(metrics_);
  }

 private:
  /// Puts a flow on the links of its route; returns its hops.
  int travel(HostId from, HostId to, Bytes volume) {
    route_.clear();
    network_.append_route(from, to, route_);
    int hops = 0;
    for (const LinkId link : route_) {
      hops += is_hop_[index(link)];
      if (volume.value <= 0) continue;
      metrics_.links[index(link)].traffic += volume;
      ++metrics_.links[index(link)].flows;
      if (!largest_.empty()) largest_[index(link)] = std::max(largest_[index(link)], volume);
    }
    return hops;
  }

  void finish_links() {
    Bytes sum;
    for (std::size_t l = 0; l < metrics_.links.size(); ++l) {
      LinkLoad& load = metrics_.links[l];
      if (load.flows == 0) continue;
      const LinkProperties link = network_.link(id_at<LinkId>(l));
      const Bytes alone = link.sharing == LinkSharing::fatpipe ? largest_[l] : load.traffic;
      load.congestion = alone / link.bandwidth;
      sum += load.traffic;
      metrics_.max_link_load = std::max(metrics_.max_link_load, load.traffic);
      metrics_.max_flows_per_link = std::max(metrics_.max_flows_per_link, load.flows);
      metrics_.max_congestion = std::max(metrics_.max_congestion, load.congestion);
    }
    if (!metrics_.links.empty())
      metrics_.mean_link_load = {sum.value / static_cast<double>(metrics_.links.size())};
  }

  const Network& network_;
  const Embedding& embedding_;
  Metrics metrics_;
  std::vector<std::int64_t> leaving_;  ///< edges that leave a host, one entry per host
  std::vector<unsigned char> is_hop_;  ///< one entry per link
  std::vector<Bytes> largest_;         ///< flow on a link; empty without fatpipe links
  std::vector<LinkId> route_;
  std::int64_t sum_of_hops_ = 0;
};

}  // namespace

Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress) {
  constexpr int ranks_between_reports = 256;
  Walk walk(network, embedding);
  for (int r = 0; r < guest.num_ranks(); ++r) {
    if (progress && r % ranks_between_reports == 0) progress(double(r) / guest.num_ranks());
    for (const CommEdge& edge : guest.out_edges(Rank{r})) walk.add(Rank{r}, edge);
  }
  return std::move(walk).result();
}

std::vector<LinkId> most_loaded_links(const Metrics& metrics, int count) {
  std::vector<LinkId> links;
  for (std::size_t l = 0; l < metrics.links.size(); ++l)
    if (metrics.links[l].traffic.value > 0) links.push_back(id_at<LinkId>(l));
  const std::size_t length = std::min(static_cast<std::size_t>(std::max(count, 0)), links.size());
  const auto heavier = [&](LinkId a, LinkId b) {
    const Seconds left = metrics.links[index(a)].congestion;
    const Seconds right = metrics.links[index(b)].congestion;
    return left != right ? left > right : a < b;
  };
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(length), links.end(),
                    heavier);
  links.resize(length);
  return links;
}

}  // namespace vtopo

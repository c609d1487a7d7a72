#include "sim/evaluation/metrics.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace vtopo {

namespace {

bool has_fatpipe(const Network& network) {
  for (int l = 0; l < network.num_links(); ++l)
    if (network.link(LinkId{l}).sharing == LinkSharing::fatpipe) return true;
  return false;
}

/// Largest flow, or share of a flow, on every link.
class LargestFlows {
 public:
  explicit LargestFlows(const Network& network)
      : network_(network), largest_(static_cast<std::size_t>(network.num_links())) {}

  void add(HostId from, HostId to, Bytes volume) {
    shares_.clear();
    network_.append_shares(from, to, shares_);
    for (const LinkShare& part : shares_) {
      Bytes& largest = largest_[index(part.link)];
      largest = std::max(largest, volume * part.share);
    }
  }

  Bytes on(LinkId link) const { return largest_[index(link)]; }

 private:
  const Network& network_;
  std::vector<Bytes> largest_;
  std::vector<LinkShare> shares_;
};

/// Adds up what all guest edges cost.
class Tally {
 public:
  Tally(const Network& network, const Embedding& embedding)
      : network_(network),
        embedding_(embedding),
        splits_flows_(network.splits_flows()),
        traffic_(network.make_link_traffic()),
        leaving_(static_cast<std::size_t>(network.num_hosts()), 0) {
    if (has_fatpipe(network)) largest_.emplace(network);
  }

  void add(Rank source, const CommEdge& edge) {
    ++metrics_.edges;
    metrics_.total_volume += edge.volume;
    const HostId from = embedding_.host_of(source);
    const HostId to = embedding_.host_of(edge.destination);
    if (from == to) {
      metrics_.intra_host_volume += edge.volume;
      count_hops(0);
      return;
    }
    ++metrics_.jsum;
    ++leaving_[index(from)];
    const int hops = network_.hops(from, to);
    count_hops(hops);
    if (edge.volume.value <= 0) return;
    metrics_.hop_bytes += edge.volume * (splits_flows_ ? network_.mean_hops(from, to) : hops);
    traffic_->add(from, to, edge.volume);
    if (largest_) largest_->add(from, to, edge.volume);
  }

  Metrics result() && {
    if (metrics_.edges > 0)
      metrics_.mean_dilation =
          static_cast<double>(sum_of_hops_) / static_cast<double>(metrics_.edges);
    if (metrics_.total_volume.value > 0)
      metrics_.mean_hops_per_byte = metrics_.hop_bytes.value / metrics_.total_volume.value;
    if (!leaving_.empty()) metrics_.jmax = *std::max_element(leaving_.begin(), leaving_.end());
    take_links(traffic_->totals());
    return std::move(metrics_);
  }

 private:
  void count_hops(int hops) {
    sum_of_hops_ += hops;
    metrics_.max_dilation = std::max(metrics_.max_dilation, hops);
    const auto entry = static_cast<std::size_t>(hops);
    if (entry >= metrics_.hop_histogram.size()) metrics_.hop_histogram.resize(entry + 1, 0);
    ++metrics_.hop_histogram[entry];
  }

  /// A link without flows has no traffic, whatever rounding left in its sum.
  void take_links(const LinkTotals& totals) {
    metrics_.links.resize(totals.flows.size());
    Bytes sum;
    for (std::size_t l = 0; l < totals.flows.size(); ++l) {
      if (totals.flows[l] == 0) continue;
      const Bytes traffic{totals.traffic[l]};
      const LinkLoad& load =
          metrics_.links[l] = {traffic, totals.flows[l], congestion(id_at<LinkId>(l), traffic)};
      sum += load.traffic;
      metrics_.max_link_load = std::max(metrics_.max_link_load, load.traffic);
      metrics_.max_flows_per_link = std::max(metrics_.max_flows_per_link, load.flows);
      metrics_.max_congestion = std::max(metrics_.max_congestion, load.congestion);
    }
    if (!metrics_.links.empty())
      metrics_.mean_link_load = {sum.value / static_cast<double>(metrics_.links.size())};
  }

  Seconds congestion(LinkId id, Bytes traffic) const {
    const LinkProperties link = network_.link(id);
    const bool alone = link.sharing == LinkSharing::fatpipe;
    return (alone ? largest_->on(id) : traffic) / link.bandwidth;
  }

  const Network& network_;
  const Embedding& embedding_;
  const bool splits_flows_;
  const std::unique_ptr<LinkTraffic> traffic_;
  std::optional<LargestFlows> largest_;  ///< if there are fatpipe links
  Metrics metrics_;
  std::vector<std::int64_t> leaving_;  ///< edges that leave a host, one entry per host
  std::int64_t sum_of_hops_ = 0;
};

}  // namespace

Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress) {
  constexpr int ranks_between_reports = 256;
  Tally tally(network, embedding);
  for (int r = 0; r < guest.num_ranks(); ++r) {
    if (progress && r % ranks_between_reports == 0) progress(double(r) / guest.num_ranks());
    for (const CommEdge& edge : guest.out_edges(Rank{r})) tally.add(Rank{r}, edge);
  }
  return std::move(tally).result();
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

#include "sim/evaluation/metrics.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "topology/parallel.hpp"

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

  void add(const LargestFlows& other) {
    for (std::size_t l = 0; l < largest_.size(); ++l)
      largest_[l] = std::max(largest_[l], other.largest_[l]);
  }

  Bytes on(LinkId link) const { return largest_[index(link)]; }

 private:
  const Network& network_;
  std::vector<Bytes> largest_;
  std::vector<LinkShare> shares_;
};

void add_totals(LinkTotals& sum, LinkTotals part) {
  if (sum.flows.empty()) return std::swap(sum, part);
  for (std::size_t l = 0; l < sum.flows.size(); ++l) {
    sum.traffic[l] += part.traffic[l];
    sum.flows[l] += part.flows[l];
  }
}

/// Adds up what the guest edges of some ranks cost.
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

  /// Routes the edges of some ranks.
  void add(const CommGraph& guest, std::span<const Rank> ranks) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (i + ahead < ranks.size()) __builtin_prefetch(guest.out_edges(ranks[i + ahead]).data());
      add(embedding_.host_of(ranks[i]), guest.out_edges(ranks[i]));
    }
  }

  /// Adds what another tally has of other edges.
  void add(Tally& other) {
    metrics_.edges += other.metrics_.edges;
    metrics_.total_volume += other.metrics_.total_volume;
    metrics_.intra_host_volume += other.metrics_.intra_host_volume;
    metrics_.hop_bytes += other.metrics_.hop_bytes;
    metrics_.jsum += other.metrics_.jsum;
    metrics_.max_dilation = std::max(metrics_.max_dilation, other.metrics_.max_dilation);
    sum_of_hops_ += other.sum_of_hops_;
    for (std::size_t h = 0; h < leaving_.size(); ++h) leaving_[h] += other.leaving_[h];
    auto& histogram = metrics_.hop_histogram;
    const auto& more = other.metrics_.hop_histogram;
    histogram.resize(std::max(histogram.size(), more.size()), 0);
    for (std::size_t h = 0; h < more.size(); ++h) histogram[h] += more[h];
    if (largest_) largest_->add(*other.largest_);
    finish();
    other.finish();
    add_totals(totals_, std::move(other.totals_));
  }

  /// Sums up the links; no edges come after it.
  void finish() {
    if (!traffic_) return;
    totals_ = traffic_->totals();
    traffic_.reset();
  }

  Metrics result() && {
    if (metrics_.edges > 0)
      metrics_.mean_dilation =
          static_cast<double>(sum_of_hops_) / static_cast<double>(metrics_.edges);
    if (metrics_.total_volume.value > 0)
      metrics_.mean_hops_per_byte = metrics_.hop_bytes.value / metrics_.total_volume.value;
    if (!leaving_.empty()) metrics_.jmax = *std::max_element(leaving_.begin(), leaving_.end());
    finish();
    take_links(totals_);
    return std::move(metrics_);
  }

 private:
  /// Routes edges from one host, some at a time: each lookup of a host may wait for memory.
  void add(HostId from, std::span<const CommEdge> edges) {
    for (; edges.size() > at_once; edges = edges.subspan(at_once))
      add_some(from, edges.first(at_once));
    add_some(from, edges);
  }

  /// @param edges at most `at_once`.
  void add_some(HostId from, std::span<const CommEdge> edges) {
    std::array<HostId, at_once> to;
    for (std::size_t i = 0; i < edges.size(); ++i) to[i] = embedding_.host_of(edges[i].destination);
    std::array<OutFlow, at_once> flows;
    std::size_t count = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      metrics_.total_volume += edges[i].volume;
      flows[count] = {to[i], edges[i].volume};
      to[count] = to[i];
      if (to[i] != from)
        ++count;
      else
        metrics_.intra_host_volume += edges[i].volume;
    }
    metrics_.edges += static_cast<std::int64_t>(edges.size());
    count_hops(0, static_cast<std::int64_t>(edges.size() - count));
    if (count > 0) add_leaving(from, {to.data(), count}, {flows.data(), count});
  }

  /// @param to of the flows.
  void add_leaving(HostId from, std::span<const HostId> to, std::span<OutFlow> flows) {
    std::array<int, at_once> hops;
    network_.hops_from(from, to, hops);
    metrics_.jsum += static_cast<std::int64_t>(flows.size());
    leaving_[index(from)] += static_cast<std::int64_t>(flows.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      count_hops(hops[i], 1);
      const Bytes volume = flows[i].volume;
      if (volume.value <= 0) continue;
      metrics_.hop_bytes += volume * (splits_flows_ ? network_.mean_hops(from, to[i]) : hops[i]);
      flows[count++] = flows[i];
    }
    traffic_->add_from(from, flows.first(count));
    if (!largest_) return;
    for (const OutFlow& flow : flows.first(count))
      largest_->add(from, flow.destination, flow.volume);
  }

  void count_hops(int hops, std::int64_t edges) {
    if (edges == 0) return;
    sum_of_hops_ += hops * edges;
    metrics_.max_dilation = std::max(metrics_.max_dilation, hops);
    const auto entry = static_cast<std::size_t>(hops);
    if (entry >= metrics_.hop_histogram.size()) metrics_.hop_histogram.resize(entry + 1, 0);
    metrics_.hop_histogram[entry] += edges;
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

  static constexpr std::size_t at_once = 32;  ///< edges

  const Network& network_;
  const Embedding& embedding_;
  const bool splits_flows_;
  std::unique_ptr<LinkTraffic> traffic_;  ///< until the links are summed up
  LinkTotals totals_;
  std::optional<LargestFlows> largest_;  ///< if there are fatpipe links
  Metrics metrics_;
  std::vector<std::int64_t> leaving_;  ///< edges that leave a host, one entry per host
  std::int64_t sum_of_hops_ = 0;
};

/// Ranks in the order in which they are routed. Those of large guests by host, ranks of a host in
/// their order: routes from one part of the network lie in one part of memory.
std::vector<Rank> routing_order(const Embedding& embedding, int num_hosts) {
  constexpr int large = 1 << 16;
  std::vector<Rank> order(static_cast<std::size_t>(embedding.num_ranks()));
  if (embedding.num_ranks() < large) {
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = id_at<Rank>(r);
    return order;
  }
  std::vector<std::size_t> next(static_cast<std::size_t>(num_hosts) + 1);
  for (const HostId host : embedding.hosts()) ++next[index(host) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t r = 0; r < order.size(); ++r)
    order[next[index(embedding.hosts()[r])]++] = id_at<Rank>(r);
  return order;
}

/// Where in the order the chunks of a guest begin, and its end. They depend on the
/// problem alone: sums come out the same to the bit whatever the number of threads. Small guests
/// are one chunk; sums of all chunks together stay below a few hundred megabytes, and take little
/// beside the edges.
std::vector<std::size_t> chunks_of(const CommGraph& guest, std::span<const Rank> order,
                                   const Network& network) {
  constexpr std::size_t least_edges = std::size_t{1} << 16;
  constexpr std::size_t most_chunks = 8;
  constexpr std::size_t most_sums = std::size_t{1} << 25;
  const std::size_t sums = static_cast<std::size_t>(network.num_links()) + 1;
  const std::size_t wanted = std::min(
      {guest.num_edges() / std::max(least_edges, 4 * sums), most_sums / sums, most_chunks});
  const std::size_t edges_per_chunk = guest.num_edges() / std::max<std::size_t>(wanted, 1) + 1;
  std::vector<std::size_t> first{0};
  std::size_t edges = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (edges >= edges_per_chunk) {
      first.push_back(i);
      edges = 0;
    }
    edges += guest.out_edges(order[i]).size();
  }
  first.push_back(order.size());
  return first;
}

/// Reports by how many ranks are done, from several threads.
class SharedProgress {
 public:
  SharedProgress(const Progress& progress, int num_ranks)
      : progress_(progress), num_ranks_(num_ranks) {}

  void add(int ranks) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    done_ += ranks;
    progress_(double(done_) / num_ranks_);
  }

 private:
  const Progress& progress_;
  const int num_ranks_;
  std::mutex mutex_;
  int done_ = 0;
};

}  // namespace

Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress, int threads) {
  constexpr std::size_t ranks_between_reports = 256;
  const std::vector<Rank> order = routing_order(embedding, network.num_hosts());
  const std::vector<std::size_t> first = chunks_of(guest, order, network);
  std::vector<std::unique_ptr<Tally>> tallies(first.size() - 1);
  SharedProgress shared(progress, guest.num_ranks());
  parallel_for(tallies.size(), threads, [&](std::size_t c) {
    tallies[c] = std::make_unique<Tally>(network, embedding);
    for (std::size_t i = first[c]; i < first[c + 1]; i += ranks_between_reports) {
      const std::size_t count = std::min(ranks_between_reports, first[c + 1] - i);
      tallies[c]->add(guest, std::span(order).subspan(i, count));
      shared.add(static_cast<int>(count));
    }
    tallies[c]->finish();
  });
  for (std::size_t c = 1; c < tallies.size(); ++c) {
    tallies[0]->add(*tallies[c]);
    tallies[c].reset();
  }
  return std::move(*tallies[0]).result();
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

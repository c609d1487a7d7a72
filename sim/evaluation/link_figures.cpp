#include "sim/evaluation/link_figures.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "topology/base/huge_pages.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t links_per_block = std::size_t{1} << 16;

std::size_t num_blocks(std::size_t num_links) {
  return (num_links + links_per_block - 1) / links_per_block;
}

/// Calls `task(block, first, last)` for blocks of links; how they are cut depends on their number
/// alone.
template <class Task>
void for_each_block(std::size_t num_links, int threads, const Task& task) {
  parallel_for(num_blocks(num_links), threads, [&](std::size_t block) {
    const std::size_t first = block * links_per_block;
    task(block, first, std::min(first + links_per_block, num_links));
  });
}

/// Largest figures of some links and the sum of their traffic.
struct Summary {
  Bytes traffic;
  Bytes max_load;
  int max_flows = 0;
  Seconds max_congestion;
  Seconds congestion;  ///< sum
  std::int64_t used = 0;

  void add(const LinkLoad& load) {
    add({load.traffic, load.traffic, load.flows, load.congestion, load.congestion, 1});
  }
  void add(const Summary& other) {
    traffic += other.traffic;
    max_load = std::max(max_load, other.max_load);
    max_flows = std::max(max_flows, other.max_flows);
    max_congestion = std::max(max_congestion, other.max_congestion);
    congestion += other.congestion;
    used += other.used;
  }

  void put(Metrics& metrics, std::size_t num_links) const {
    metrics.max_link_load = max_load;
    metrics.max_flows_per_link = max_flows;
    metrics.max_congestion = max_congestion;
    if (used > 0) metrics.mean_congestion = {congestion.value / static_cast<double>(used)};
    if (num_links > 0) metrics.mean_link_load = {traffic.value / static_cast<double>(num_links)};
  }
};

/// @param largest flow on the link.
LinkLoad load_of(const LinkProperties& link, Bytes traffic, int flows, Bytes largest) {
  const Bytes filled = link.sharing == LinkSharing::fatpipe ? largest : traffic;
  return {traffic, flows, filled / link.bandwidth};
}

}  // namespace

void PassedLinks::add(HostId from, HostId to, Bytes volume) {
  route_.clear();
  network_.append_route(from, to, route_);
  for (const LinkId link : route_) crossings_.push_back({link, volume});
}

/// Sums are those of blocks, as if all links were looked at.
void PassedLinks::put_figures(Metrics& metrics, bool each_link) {
  std::stable_sort(crossings_.begin(), crossings_.end(),
                   [](const Crossing& a, const Crossing& b) { return a.link < b.link; });
  const std::size_t num_links = index(network_.num_links());
  if (each_link) metrics.links.resize(num_links);
  Summary all, part;
  std::size_t end_of_block = links_per_block;
  for (auto next = crossings_.begin(); next != crossings_.end();) {
    const LinkId link = next->link;
    Bytes traffic{0}, largest{0};
    int flows = 0;
    for (; next != crossings_.end() && next->link == link; ++next, ++flows) {
      traffic += next->volume;
      largest = std::max(largest, next->volume);
    }
    const LinkLoad load = load_of(network_.link(link), traffic, flows, largest);
    if (each_link) metrics.links[index(link)] = load;
    for (; index(link) >= end_of_block; end_of_block += links_per_block)
      all.add(std::exchange(part, {}));
    part.add(load);
  }
  all.add(part);
  all.put(metrics, num_links);
}

void LargestFlows::add(HostId from, HostId to, Bytes volume) {
  shares_.clear();
  network_.append_shares(from, to, shares_);
  for (const LinkShare& part : shares_) {
    Bytes& largest = largest_[index(part.link)];
    largest = std::max(largest, volume * part.share);
  }
}

void LargestFlows::add(const LargestFlows& other) {
  for (std::size_t l = 0; l < largest_.size(); ++l)
    largest_[l] = std::max(largest_[l], other.largest_[l]);
}

bool has_fatpipe(const Network& network, int threads) {
  std::atomic<bool> found = false;
  for_each_block(index(network.num_links()), threads,
                 [&](std::size_t, std::size_t first, std::size_t last) {
                   for (std::size_t l = first; l < last; ++l)
                     if (network.link(id_at<LinkId>(l)).sharing == LinkSharing::fatpipe)
                       found = true;
                 });
  return found;
}

void add_totals(LinkTotals& sum, LinkTotals part, int threads) {
  if (sum.flows.empty()) return std::swap(sum, part);
  for_each_block(sum.flows.size(), threads, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t l = first; l < last; ++l) sum.traffic[l] += part.traffic[l];
    for (std::size_t l = first; l < last; ++l) sum.flows[l] += part.flows[l];
  });
}

void put_link_figures(Metrics& metrics, const Network& network, const LinkTotals& totals,
                      const LargestFlows* largest, int threads) {
  const std::size_t num_links = totals.flows.size();
  if (num_links == 0) return;
  resize_on_huge_pages(metrics.links, num_links);
  std::vector<Summary> parts(num_blocks(num_links));
  for_each_block(num_links, threads, [&](std::size_t block, std::size_t first, std::size_t last) {
    Summary part;
    for (std::size_t l = first; l < last; ++l) {
      if (totals.flows[l] == 0) continue;
      const auto id = id_at<LinkId>(l);
      metrics.links[l] = load_of(network.link(id), Bytes{totals.traffic[l]}, totals.flows[l],
                                 largest != nullptr ? largest->on(id) : Bytes{0});
      part.add(metrics.links[l]);
    }
    parts[block] = part;
  });
  Summary all;
  for (const Summary& part : parts) all.add(part);
  all.put(metrics, num_links);
}

EdgeTally::EdgeTally(const Network& network, const Embedding& embedding, Links links)
    : network_(network),
      embedding_(embedding),
      splits_flows_(network.splits_flows()),
      leaving_(index(network.num_hosts()), 0) {
  if (links == Links::used)
    used_.emplace(network);
  else
    traffic_ = network.make_link_traffic();
  if (links == Links::all_and_fatpipes) largest_.emplace(network);
}

/// Ranks that are neighbours in the network need not be so in the guest, so each look at a row and
/// at the hosts of its ends may wait for memory: rows are looked up together, and what they hold is
/// fetched while the routes of ranks before them are added.
void EdgeTally::add(const CommGraph& guest, std::span<const Rank> ranks) {
  constexpr std::size_t rows_ahead = 12, ends_ahead = 5;
  for (; !ranks.empty(); ranks = ranks.subspan(std::min(ranks.size(), rows_.size()))) {
    const auto some = ranks.first(std::min(ranks.size(), rows_.size()));
    for (std::size_t i = 0; i < some.size(); ++i)
      rows_[i] = {embedding_.host_of(some[i]), guest.out_edges(some[i])};
    for (std::size_t i = 0; i < std::min(rows_ahead, some.size()); ++i) fetch(rows_[i].edges);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (i + rows_ahead < some.size()) fetch(rows_[i + rows_ahead].edges);
      if (i + ends_ahead < some.size()) fetch_hosts(rows_[i + ends_ahead].edges);
      add(rows_[i].from, rows_[i].edges);
    }
  }
}

void EdgeTally::fetch(std::span<const CommEdge> edges) {
  constexpr std::size_t edges_per_line = 64 / sizeof(CommEdge);
  const std::size_t count = std::min(edges.size(), max_fetched);
  for (std::size_t i = 0; i < count; i += edges_per_line) __builtin_prefetch(&edges[i]);
  if (count > 0) __builtin_prefetch(&edges[count - 1]);
}

/// Of a long row enough hosts are looked up at once as it is.
void EdgeTally::fetch_hosts(std::span<const CommEdge> edges) const {
  if (edges.size() > max_fetched) return;
  for (const CommEdge& edge : edges)
    __builtin_prefetch(&embedding_.hosts()[index(edge.destination)]);
}

void EdgeTally::finish() {
  if (used_) return;
  totals_ = traffic_->totals();
  traffic_.reset();
}

void EdgeTally::add(EdgeTally& other, int threads) {
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
  add_totals(totals_, std::move(other.totals_), threads);
}

Metrics EdgeTally::result(int threads, bool each_link) && {
  if (metrics_.edges > 0)
    metrics_.mean_dilation =
        static_cast<double>(sum_of_hops_) / static_cast<double>(metrics_.edges);
  if (metrics_.total_volume.value > 0)
    metrics_.mean_hops_per_byte = metrics_.hop_bytes.value / metrics_.total_volume.value;
  if (used_) {
    for (const HostId host : embedding_.hosts())
      metrics_.jmax = std::max(metrics_.jmax, leaving_[index(host)]);
    used_->put_figures(metrics_, each_link);
  } else {
    if (!leaving_.empty()) metrics_.jmax = *std::max_element(leaving_.begin(), leaving_.end());
    put_link_figures(metrics_, network_, totals_, largest_ ? &*largest_ : nullptr, threads);
  }
  return std::move(metrics_);
}

/// Routes edges from one host, some at a time: each lookup of a host may wait for memory.
void EdgeTally::add(HostId from, std::span<const CommEdge> edges) {
  for (; edges.size() > at_once; edges = edges.subspan(at_once))
    add_some(from, edges.first(at_once));
  add_some(from, edges);
}

/// @param edges at most `at_once`.
void EdgeTally::add_some(HostId from, std::span<const CommEdge> edges) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read, in a hot loop
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
void EdgeTally::add_leaving(HostId from, std::span<const HostId> to, std::span<OutFlow> flows) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read, in a hot loop
  std::array<int, at_once> hops;
  network_.hops_from(from, to, hops);
  metrics_.jsum += static_cast<std::int64_t>(flows.size());
  leaving_[index(from)] += static_cast<std::int64_t>(flows.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    count_hops(hops[i], 1);
    const Bytes volume = flows[i].volume;
    if (volume.value <= 0) continue;
    metrics_.hop_bytes += volume * (splits_flows_ ? mean_hops(from, to[i]) : hops[i]);
    flows[count++] = flows[i];
  }
  if (used_)
    for (const OutFlow& flow : flows.first(count)) used_->add(from, flow.destination, flow.volume);
  else
    traffic_->add_from(from, flows.first(count));
  if (!largest_) return;
  for (const OutFlow& flow : flows.first(count)) largest_->add(from, flow.destination, flow.volume);
}

/// Ranks of two hosts often have many edges, and a mean over routes may take long.
double EdgeTally::mean_hops(HostId from, HostId to) {
  constexpr std::size_t max_known = std::size_t{1} << 14;
  constexpr std::size_t odd = 0x9E3779B97F4A7C15;  // golden ratio
  if (known_hops_.empty()) known_hops_.resize(max_known);
  const std::size_t key = index(from) * index(network_.num_hosts()) + index(to);
  KnownHops& known = known_hops_[(key * odd) >> 50];
  if (known.from != from || known.to != to) known = {from, to, network_.mean_hops(from, to)};
  return known.mean;
}

void EdgeTally::count_hops(int hops, std::int64_t edges) {
  if (edges == 0) return;
  sum_of_hops_ += hops * edges;
  metrics_.max_dilation = std::max(metrics_.max_dilation, hops);
  const auto entry = index(hops);
  if (entry >= metrics_.hop_histogram.size()) metrics_.hop_histogram.resize(entry + 1, 0);
  metrics_.hop_histogram[entry] += edges;
}

}  // namespace vtopo::detail

#include "sim/evaluation/edge_tally.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vtopo::detail {

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
    metrics_.hop_bytes += volume * (splits_flows_ ? network_.mean_hops(from, to[i]) : hops[i]);
    flows[count++] = flows[i];
  }
  if (used_)
    for (const OutFlow& flow : flows.first(count)) used_->add(from, flow.destination, flow.volume);
  else
    traffic_->add_from(from, flows.first(count));
  if (!largest_) return;
  for (const OutFlow& flow : flows.first(count)) largest_->add(from, flow.destination, flow.volume);
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

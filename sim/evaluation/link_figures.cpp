#include "sim/evaluation/link_figures.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

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
  metrics.links.resize(num_links);
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

}  // namespace vtopo::detail

#include "sim/evaluation/metrics.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include "sim/evaluation/link_figures.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/placement/embedding_check.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

std::vector<HostFlow> host_flows(const CommGraph& guest, const Embedding& embedding) {
  std::vector<HostFlow> flows;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from != to && edge.volume.value > 0) flows.push_back({from, to, edge.volume});
  });
  return flows;
}

std::shared_ptr<const Network> routed_for(const CommGraph& guest, const Network& network,
                                          const Embedding& embedding) {
  if (!depends_on_traffic(network.routing())) return nullptr;
  return network.routed(host_flows(guest, embedding));
}

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

namespace {

/// Ranks in the order in which they are routed. Those of large guests by host, ranks of a host in
/// their order: routes from one part of the network lie in one part of memory.
std::vector<Rank> routing_order(const Embedding& embedding, int num_hosts) {
  constexpr int large = 1 << 16;
  std::vector<Rank> order(index(embedding.num_ranks()));
  if (embedding.num_ranks() < large) {
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = id_at<Rank>(r);
    return order;
  }
  std::vector<std::size_t> next(index(num_hosts) + 1);
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
  constexpr std::size_t max_chunks = 8;
  constexpr std::size_t max_sums = std::size_t{1} << 25;
  const std::size_t sums = index(network.num_links()) + 1;
  const std::size_t wanted =
      std::min({guest.num_edges() / std::max(least_edges, 2 * sums), max_sums / sums, max_chunks});
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

/// Whether to count the links of each flow takes less than to look at all links.
bool uses_few_links(const CommGraph& guest, const Network& network) {
  constexpr std::size_t links_per_edge = 16;
  return !network.splits_flows() && links_per_edge * guest.num_edges() < index(network.num_links());
}

EdgeTally::Links links_looked_at(const CommGraph& guest, const Network& network, int threads) {
  if (uses_few_links(guest, network)) return EdgeTally::Links::used;
  return has_fatpipe(network, threads) ? EdgeTally::Links::all_and_fatpipes : EdgeTally::Links::all;
}

Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress, int threads, bool each_link) {
  if (const auto routed = routed_for(guest, network, embedding))
    return evaluate(guest, *routed, embedding, progress, threads, each_link);
  constexpr std::size_t ranks_between_reports = 256;
  const std::vector<Rank> order = routing_order(embedding, network.num_hosts());
  const std::vector<std::size_t> first = chunks_of(guest, order, network);
  std::vector<std::unique_ptr<EdgeTally>> tallies(first.size() - 1);
  const EdgeTally::Links links = links_looked_at(guest, network, threads);
  SharedProgress shared(progress, guest.num_ranks());
  parallel_for(tallies.size(), threads, [&](std::size_t c) {
    tallies[c] = std::make_unique<EdgeTally>(network, embedding, links);
    for (std::size_t i = first[c]; i < first[c + 1]; i += ranks_between_reports) {
      const std::size_t count = std::min(ranks_between_reports, first[c + 1] - i);
      tallies[c]->add(guest, std::span(order).subspan(i, count));
      shared.add(static_cast<int>(count));
    }
    tallies[c]->finish();
  });
  for (std::size_t c = 1; c < tallies.size(); ++c) {
    tallies[0]->add(*tallies[c], threads);
    tallies[c].reset();
  }
  return std::move(*tallies[0]).result(threads, each_link);
}

}  // namespace

Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress, int threads) {
  check_embedding(guest, network, embedding);
  return evaluate(guest, network, embedding, progress, threads, true);
}

Metrics detail::evaluate_totals(const CommGraph& guest, const Network& network,
                                const Embedding& embedding) {
  return evaluate(guest, network, embedding, {}, 1, false);
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

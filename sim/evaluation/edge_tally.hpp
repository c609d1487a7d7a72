#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/evaluation/link_figures.hpp"
#include "sim/evaluation/metrics.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Adds up what the guest edges of some ranks cost. Network and embedding must outlive it.
class EdgeTally {
 public:
  /// Which links are looked at.
  enum class Links {
    used,  ///< of networks with one route per flow
    all,
    all_and_fatpipes  ///< the same of networks with fatpipe links
  };

  EdgeTally(const Network& network, const Embedding& embedding, Links links);

  /// Routes the edges of some ranks.
  void add(const CommGraph& guest, std::span<const Rank> ranks);

  /// Sums up the links; no edges come after it.
  void finish();

  /// Adds what another finished tally has of other edges, and spends it; for finished ones.
  void add(EdgeTally& other, int threads);

  /// The figures; for a finished tally.
  /// @param each_link whether they are to have the load of each link.
  Metrics result(int threads, bool each_link) &&;

 private:
  static constexpr std::size_t at_once = 32;      ///< edges
  static constexpr std::size_t max_fetched = 16;  ///< edges of a row

  /// Edges of one rank.
  struct Row {
    HostId from{};
    std::span<const CommEdge> edges;
  };

  static void fetch(std::span<const CommEdge> edges);
  void fetch_hosts(std::span<const CommEdge> edges) const;
  void add(HostId from, std::span<const CommEdge> edges);
  void add_some(HostId from, std::span<const CommEdge> edges);
  void add_leaving(HostId from, std::span<const HostId> to, std::span<OutFlow> flows);
  void count_hops(int hops, std::int64_t edges);

  const Network& network_;
  const Embedding& embedding_;
  const bool splits_flows_;
  std::optional<PassedLinks> used_;
  std::unique_ptr<LinkTraffic> traffic_;  ///< of all links, until they are summed up
  LinkTotals totals_;
  std::optional<LargestFlows> largest_;
  Metrics metrics_;
  std::vector<std::int64_t> leaving_;  ///< edges that leave a host, one entry per host
  std::int64_t sum_of_hops_ = 0;
  std::array<Row, 256> rows_;  ///< of the ranks that are being added
};

}  // namespace vtopo::detail

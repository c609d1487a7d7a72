#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Largest flow, or share of a flow, on every link: what fills a fatpipe link. The network must
/// outlive it.
class LargestFlows {
 public:
  explicit LargestFlows(const Network& network)
      : network_(network), largest_(index(network.num_links())) {}

  /// A flow between two different hosts.
  void add(HostId from, HostId to, Bytes volume);

  /// What another has seen.
  void add(const LargestFlows& other);

  Bytes on(LinkId link) const { return largest_[index(link)]; }

 private:
  const Network& network_;
  std::vector<Bytes> largest_;
  std::vector<LinkShare> shares_;  ///< of one flow
};

/// Loads of the links that some flows use, on a network with one route per flow, without a look at
/// the other links. The network must outlive it.
class PassedLinks {
 public:
  explicit PassedLinks(const Network& network) : network_(network) {}

  /// A flow between two different hosts.
  void add(HostId from, HostId to, Bytes volume);

  /// As `put_link_figures`.
  /// @param each_link whether `metrics` gets the load of every link, too.
  void put_figures(Metrics& metrics, bool each_link);

 private:
  struct Crossing {
    LinkId link;
    Bytes volume;
  };

  const Network& network_;
  std::vector<LinkId> route_;  ///< of one flow
  std::vector<Crossing> crossings_;
};

/// Whether there is a link that gives its bandwidth whole to each flow.
bool has_fatpipe(const Network& network, int threads);

/// Adds the traffic of other flows; `sum` may be empty.
void add_totals(LinkTotals& sum, LinkTotals part, int threads);

/// Puts the load of every link, the largest and the mean into `metrics`; equal to the bit for every
/// number of threads. A link without flows has no traffic, whatever rounding left in its sum.
/// @param largest not null if the network has fatpipe links.
void put_link_figures(Metrics& metrics, const Network& network, const LinkTotals& totals,
                      const LargestFlows* largest, int threads);

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

  /// `Network::mean_hops` of a pair of hosts.
  struct KnownHops {
    HostId from{-1};
    HostId to{-1};
    double mean = 0;
  };

  static void fetch(std::span<const CommEdge> edges);
  void fetch_hosts(std::span<const CommEdge> edges) const;
  void add(HostId from, std::span<const CommEdge> edges);
  void add_some(HostId from, std::span<const CommEdge> edges);
  void add_leaving(HostId from, std::span<const HostId> to, std::span<OutFlow> flows);
  double mean_hops(HostId from, HostId to);
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
  std::vector<KnownHops> known_hops_;  ///< by a hash of the pair; empty: not asked yet
  std::array<Row, 256> rows_;          ///< of the ranks that are being added
};

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/metrics.hpp"

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

}  // namespace vtopo::detail

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

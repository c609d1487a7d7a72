#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/progress.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// What the guest edges put on one directed link.
struct LinkLoad {
  /// Sum of the volumes, or of the shares of volumes, that cross it (Traffic(e) of Hoefler and
  /// Snir); where routes are drawn, the expected value of that sum.
  Bytes traffic;
  /// Directed guest edges with volume > 0 that put a share on it; where a flow goes by way of an
  /// intermediate, each of its two legs counts.
  int flows = 0;
  /// traffic / bandwidth; on a fatpipe link the largest share of a single flow / bandwidth.
  Seconds congestion;
};

/// What an embedding costs without a clock. Definitions follow T. Hoefler and M. Snir, "Generic
/// Topology Mapping Strategies for Large-Scale Parallel Architectures" (ICS 2011); Jsum and Jmax
/// follow Hunold et al. (CLUSTER 2020). Directed guest edges are counted once each. Dilation is
/// the distance (`Network::hops`), hop-bytes are what is really travelled: on networks that split
/// flows, `Network::mean_hops` times the volume.
struct Metrics {
  std::int64_t edges = 0;         ///< directed guest edges, self loops included
  Bytes total_volume;             ///< over all directed edges
  Bytes intra_host_volume;        ///< volume between ranks of one host, self loops included
  int max_dilation = 0;           ///< hops
  double mean_dilation = 0;       ///< hops, unweighted over directed edges; 0 without edges
  double mean_hops_per_byte = 0;  ///< hop_bytes / total_volume
  Bytes hop_bytes;                ///< volume times hops, summed over directed edges
  Bytes max_link_load;            ///< largest traffic of a link
  Bytes mean_link_load;           ///< over all directed links of the network
  int max_flows_per_link = 0;     ///< largest LinkLoad::flows of a link
  Seconds max_congestion;         ///< also the static bound of the makespan
  Seconds mean_congestion;        ///< over the links that carry anything
  std::int64_t jsum = 0;          ///< directed edges that leave a host
  std::int64_t jmax = 0;          ///< the most for one host
  std::vector<std::int64_t> hop_histogram;  ///< entry h: directed edges with h hops
  std::vector<LinkLoad> links;              ///< one entry per link of the network
};

/// Routes every guest edge and adds up.
/// Messages inside a host (self loops included) travel no link and have dilation 0.
/// @param threads that large guests are shared between; the figures are the same to the bit for
/// any.
/// @throws UsageError for an embedding of another number of ranks, or on hosts that the network
/// does not have.
Metrics evaluate(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const Progress& progress = {}, int threads = 1);

/// Links with traffic in order of congestion, heaviest first (ties: lower id first), at most
/// `count`.
std::vector<LinkId> most_loaded_links(const Metrics& metrics, int count);

}  // namespace vtopo

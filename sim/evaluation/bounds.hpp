#pragma once

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "topology/comm_graph.hpp"
#include "topology/progress.hpp"

namespace vtopo {

/// Lower bounds over every embedding of the guest on the allocation.
struct Bounds {
  Bytes hop_bytes;
  Seconds congestion;
};

/// Hop-bytes: every rank sends its heaviest partners to the nearest slots that any host of the
/// allocation offers; half the sum over ranks. Congestion: the largest of that bound over the total
/// bandwidth of the network, and, per rank and in sum, the volume that must leave a host (all but
/// the heaviest slots-1 partners) over the bandwidth that leaves a host.
///
/// Where two hosts of the allocation have no route, only the first two hold, with one hop between
/// any two hosts: an embedding may do without those hosts.
///
/// The bounds hold under every routing rule. Distances are `Network::hops`, the fewest hops of any
/// route that a flow may take, so the hops that its shares travel on average are no fewer. Shares
/// of a flow add up to the whole flow on the links out of its source, and over all links to volume
/// times mean hops; both sums are all that the congestion bound needs. Where routes are drawn
/// (Valiant), loads are expected values: the bound is one on the largest expected load, which is
/// itself no more than the expected largest load.
/// @throws FitError if the guest does not fit into the allocation: there is no embedding to bound.
Bounds lower_bounds(const CommGraph& guest, const Network& network, const Allocation& allocation,
                    const Progress& progress = {});

}  // namespace vtopo

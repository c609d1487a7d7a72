#pragma once

#include <string>
#include <vector>

#include "sim/bounds/hop_bounds.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// A bound and the argument that gives it.
struct NamedBound {
  std::string kind;
  double value = 0;
};

/// The greater one; the first of those that are equal but for rounding.
void improve(NamedBound& best, std::string kind, double value);

/// Time of `volume`, 0 where there is nothing to move or nothing to move it over.
Seconds time_over(Bytes volume, BytesPerSecond bandwidth);

/// What ranks must send out of their hosts over what hosts can send: what each rank has left when
/// its heaviest partners share its host, those with the most on the fastest hosts; and all ranks.
/// No fatpipe may be among the links, for such a link carries any traffic in the time of its
/// largest flow. A detour through other hosts, or back through the source, only adds traffic to the
/// links that leave hosts.
void bound_by_hosts(const Partners& partners, GuestCuts& guest, const Network& network,
                    const Allocation& allocation, NamedBound& best);

/// The heaviest flow that must leave a host over the bandwidth of the widest link: a host with S
/// slots keeps at most S-1 partners of a rank inside. Only where flows do not split, and without
/// fatpipes, as above.
/// @param most of the links of which every route between two hosts has one.
void bound_by_flows(const Partners& partners, const Allocation& allocation, BytesPerSecond most,
                    NamedBound& best);

/// Flows of a rank that do not split and must leave a host: of k * d + 1 flows through d doors, k +
/// 1 share one; likewise of what it receives. Conditions as above.
/// @param most bandwidth of a link.
void bound_by_doors(const Partners& partners, const Allocation& allocation,
                    const std::vector<HostDoors>& doors, BytesPerSecond most, NamedBound& best);

/// Volume across cuts over their capacity, one by one and, for disjoint sides, all together.
void bound_by_cuts(GuestCuts& guest, const std::vector<CutFamily>& families, std::int64_t slots,
                   NamedBound& best);

}  // namespace vtopo::detail

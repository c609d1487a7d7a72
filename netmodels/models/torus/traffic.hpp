#pragma once

#include <memory>

#include "netmodels/models/torus/dimension_order.hpp"
#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// How the hosts of a torus stand on its routers.
struct TorusHosts {
  int per_router;  ///< 1: host and router are the same
  int first_link;  ///< of the hosts' cables: up to the router 2 * host beyond it, down the next
  ExactDivision reciprocal;  ///< of `per_router`

  int router(HostId host) const { return reciprocal.quotient(number(host)); }
  bool have_cables() const { return per_router > 1; }
  LinkId up(HostId host) const { return LinkId{first_link + 2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{first_link + 2 * number(host) + 1}; }
};

/// Traffic of dimension-order routes in O(dimensions) per flow, whatever its length: differences
/// along each ring, summed once at the end. Integers, so that a link which no flow uses carries
/// exactly 0; flows of fractional volumes or beyond 2^62 bytes in sum walk their routes. `network`,
/// `grid` and `hosts` must outlive the result.
std::unique_ptr<LinkTraffic> make_ring_traffic(const Network& network, const TorusGrid& grid,
                                               const TorusHosts& hosts, const DimensionOrder& rule);

}  // namespace vtopo::detail

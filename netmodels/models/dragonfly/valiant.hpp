#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"

namespace vtopo::detail {

/// Valiant's routing on a dragonfly after Kim, Dally, Scott, Abts, "Technology-Driven,
/// Highly-Scalable Dragonfly Topology" (ISCA 2008): a flow between two groups goes by way of an
/// intermediate group, drawn uniformly among the groups that are neither its source's nor its
/// destination's; each of the two global hops takes one of the cables between its groups, drawn
/// uniformly too; local links are green, then black. Loads are expected values. Flows inside a
/// group, and all flows of a dragonfly with fewer than three groups, take the minimal route.
class DragonflyValiant {
 public:
  explicit DragonflyValiant(const DragonflyLayout& layout);

  bool detours(HostId source, HostId destination) const;

  /// One of the routes: intermediate group and cables follow from the numbers of the hosts.
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const;

  /// O(groups * cables^2) shares.
  void append_shares(HostId source, HostId destination, std::vector<LinkShare>& shares) const;

  /// Mean over the routes. O(cables) for groups and routers that have been asked for
  /// before, up to 4096 groups.
  double mean_hops(HostId source, HostId destination) const;

  /// Sums by router and group first, so that a flow costs the same for any number of groups; null
  /// where these sums would be too many.
  std::unique_ptr<LinkTraffic> make_link_traffic() const;

 private:
  /// Local links from `router` to all cables to `group`, summed over the cables.
  int local_hops_to_cables(const DragonflyRouter& router, int group) const;
  /// The same summed over all groups but its own.
  double local_hops_to_all_cables(const DragonflyRouter& router) const;
  /// Local links inside all intermediate groups between two groups, summed over their cables.
  double local_hops_between_cables(int group, int other) const;

  const DragonflyLayout& layout_;
  // What mean_hops() has computed so far, negative: not yet; none where it would be too much.
  std::unique_ptr<std::atomic<double>[]> by_router_;
  std::unique_ptr<std::atomic<double>[]> by_groups_;
};

}  // namespace vtopo::detail

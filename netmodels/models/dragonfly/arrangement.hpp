#pragma once

#include "netmodels/models/dragonfly/spec.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// Which router of a group each global (blue) cable starts from.
///
/// Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde, Leung, "Comparing Global Link Arrangements
/// for Dragonfly Networks" (CLUSTER 2015) number the global ports of a group 0..a*h-1, so that port
/// k belongs to router k / h, and lay the cables of a full dragonfly of a*h+1 groups by
/// - absolute: port k of group i leads to group k, or k+1 from k = i on;
/// - relative: port k of group i leads to group i + k + 1, modulo the groups;
/// - circulant: ports 2m and 2m+1 of group i lead to groups i + (m+1) and i - (m+1), modulo the
///   groups. With even h both ends of a cable are routers with the same number.
/// Here the groups may be fewer or more: with g groups and `cables_per_pair` c, each group has
/// (g-1)*c ports, h is the smallest number for which its routers have that many, and cable n of
/// all pairs takes ports n*(g-1) up to (n+1)*(g-1)-1 by the rule above. The cables of a pair so
/// start from different routers as long as they are no more than the routers of a group.
///
/// SimGrid's arrangement leads to group j from router j, here modulo the routers r of a group;
/// cable n starts n*max(1, r/c) routers further on. With more groups than routers a router may have
/// one cable more than h.
class DragonflyArrangement {
 public:
  /// The numbers of `spec` must be in range, as DragonflyLayout checks them.
  explicit DragonflyArrangement(const DragonflySpec& spec);

  /// Router (0..routers of a group - 1) of `group` from which cable `cable` to `other` starts.
  int gateway(int group, int other, int cable) const {
    if (kind_ == GlobalArrangement::simgrid) return routers_.remainder(other + cable * stride_);
    return ports_per_router_.quotient(cable * (groups_ - 1) + port(group, other));
  }

 private:
  /// Port of `group` that leads to `other`, among those of one cable per pair.
  int port(int group, int other) const {
    if (kind_ == GlobalArrangement::absolute) return other < group ? other : other - 1;
    const int ahead = other > group ? other - group : other - group + groups_;
    if (kind_ == GlobalArrangement::relative) return ahead - 1;
    return 2 * ahead <= groups_ ? 2 * (ahead - 1) : 2 * (groups_ - ahead) - 1;
  }

  GlobalArrangement kind_;
  int groups_;
  int stride_;
  ExactDivision routers_;
  ExactDivision ports_per_router_;
};

/// Name in specifications: `simgrid`, `absolute`, `relative`, `circulant`.
const char* arrangement_name(GlobalArrangement arrangement);

}  // namespace vtopo::detail

#pragma once

#include <string>
#include <vector>

#include "netmodels/models/dragonfly/dragonfly.hpp"
#include "netmodels/network.hpp"
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

/// A router: its group and its place there. `local` = chassis * blades + blade.
struct DragonflyRouter {
  int group;
  int local;
  int chassis;
  int blade;
};

/// Colours of the links of a dragonfly, in the order of link ids.
enum class DragonflyColour { host, green, black, blue };

/// Places of hosts and routers and ids of links. Routers are numbered group * routers + local;
/// host h has links 2h (to its router) and 2h+1 (from it).
class DragonflyLayout {
 public:
  /// @throws UsageError if a number is < 1 or hosts, routers or links exceed 2^31-1.
  explicit DragonflyLayout(const DragonflySpec& spec);

  int groups() const { return groups_; }
  bool has_equal_groups() const { return group_of_.empty(); }
  int routers_per_group() const { return routers_per_group_; }  ///< in the largest one
  int num_routers() const { return first_router(groups_); }
  /// Number of the first router of a group; with `groups()` how many there are.
  int first_router(int group) const {
    return has_equal_groups() ? group * routers_per_group_
                              : first_router_[static_cast<std::size_t>(group)];
  }
  int routers_in(int group) const { return first_router(group + 1) - first_router(group); }
  /// Hosts of a router, by its number.
  int hosts_of(int router_number) const;
  int cables() const { return cables_; }
  int num_hosts() const { return num_hosts_; }
  int num_links() const { return num_links_; }

  /// Number of the router of a host.
  int router_number(HostId host) const {
    return has_equal_groups() ? hosts_per_blade_.quotient(number(host)) : router_of_[index(host)];
  }
  int number_of(const DragonflyRouter& router) const {
    return first_router(router.group) + router.local;
  }
  DragonflyRouter router(int router_number) const {
    const int group = has_equal_groups() ? per_group_.quotient(router_number)
                                         : group_of_[static_cast<std::size_t>(router_number)];
    return router(group, router_number - first_router(group));
  }
  DragonflyRouter router(int group, int local) const {
    const Position position = positions_[static_cast<std::size_t>(local)];
    return {group, local, position.chassis, position.blade};
  }
  DragonflyRouter router_of(HostId host) const { return router(router_number(host)); }

  /// Router of `group` where cable `cable` to group `other` starts.
  DragonflyRouter gateway(int group, int other, int cable) const {
    const std::size_t size = has_equal_groups() ? 0 : static_cast<std::size_t>(group);
    return router(group, arrangements_[size].gateway(group, other, cable));
  }

  LinkId up(HostId host) const { return LinkId{2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{2 * number(host) + 1}; }
  /// Link of a router to blade `blade` of its chassis, another one than its own.
  LinkId green(const DragonflyRouter& router, int blade) const {
    if (has_equal_groups())
      return LinkId{first_green_ + number_of(router) * (blades_ - 1) +
                    among_others(router.blade, blade)};
    return LinkId{green_of_[static_cast<std::size_t>(number_of(router))] +
                  among_others(router.blade, blade)};
  }
  /// Link of a router to its blade's like in chassis `chassis`, another one than its own.
  LinkId black(const DragonflyRouter& router, int chassis) const {
    return LinkId{first_black_ + number_of(router) * (chassis_ - 1) +
                  among_others(router.chassis, chassis)};
  }
  /// Cable `cable` from a group to another one.
  LinkId blue(int group, int other, int cable) const {
    return LinkId{first_blue_ + (group * (groups_ - 1) + among_others(group, other)) * cables_ +
                  cable};
  }

  DragonflyColour colour(LinkId link) const;
  std::int64_t links_of(DragonflyColour colour) const;
  /// Which of the parallel cables between two groups a blue link is.
  int cable_of(LinkId blue) const { return (number(blue) - first_blue_) % cables_; }
  /// Hosts are vertices 0..num_hosts-1, routers follow.
  LinkEnds link_ends(LinkId link) const;

  /// Local links between two routers of one group: 0 to 2.
  static int local_hops(const DragonflyRouter& from, const DragonflyRouter& to) {
    return (from.blade != to.blade ? 1 : 0) + (from.chassis != to.chassis ? 1 : 0);
  }
  /// Most local links between two routers of one group.
  int local_diameter() const { return (blades_ > 1 ? 1 : 0) + (chassis_ > 1 ? 1 : 0); }

  /// Hands the links between two routers of one group to `sink`: green, then black.
  template <class Sink>
  void walk_local(const DragonflyRouter& from, const DragonflyRouter& to, Sink&& sink) const {
    DragonflyRouter here = from;
    if (from.blade != to.blade) {
      sink(green(from, to.blade));
      here.local += to.blade - from.blade;
      here.blade = to.blade;
    }
    if (here.chassis != to.chassis) sink(black(here, to.chassis));
  }

 private:
  struct Position {
    int chassis;
    int blade;
  };

  /// Position of `other` among the others of `self`, and back.
  static int among_others(int self, int other) { return other < self ? other : other - 1; }
  static int other_at(int self, int position) { return position < self ? position : position + 1; }

  void place_unequal(const DragonflySpec& spec);

  LinkEnds host_link_ends(int id) const;
  LinkEnds green_link_ends(int position) const;
  LinkEnds black_link_ends(int position) const;
  LinkEnds blue_link_ends(int position) const;

  int groups_;
  int chassis_;
  int blades_;
  int cables_;
  int routers_per_group_ = 1;
  int num_hosts_ = 0;
  int first_green_ = 0;
  int first_black_ = 0;
  int first_blue_ = 0;
  int num_links_ = 0;
  std::vector<DragonflyArrangement> arrangements_;  ///< one, or one per group
  ExactDivision hosts_per_blade_;
  ExactDivision per_group_;
  std::vector<Position> positions_;  ///< by local number
  std::vector<int> group_of_;      ///< by router; empty where all groups are equal, as those below
  std::vector<int> first_router_;  ///< by group, and their number
  std::vector<int> router_of_;     ///< by host
  std::vector<int> green_of_;      ///< first green link of each router, and the end
};

}  // namespace vtopo::detail

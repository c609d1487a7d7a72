#include "netmodels/models/dragonfly/routes.hpp"

#include <algorithm>

#include "netmodels/links.hpp"

namespace vtopo::detail {

int fewest_local_hops(const DragonflyLayout& layout, const DragonflyRouter& from,
                      const DragonflyRouter& to) {
  int fewest = 4;
  for (int cable = 0; cable < layout.cables(); ++cable)
    fewest = std::min(fewest, local_hops_by(layout, from, to, cable));
  return fewest;
}

namespace {

/// A flow on its way from router to router.
class EcmpFlow {
 public:
  EcmpFlow(const DragonflyLayout& layout, const DragonflyRouter& target,
           std::vector<LinkShare>& shares)
      : layout_(layout), target_(target), shares_(shares) {}

  /// Sends `share` of the flow on from `here`.
  void leave(const DragonflyRouter& here, double share) {
    if (here.group == target_.group) return cross_group(here, target_, share);
    const int fewest = fewest_local_hops(layout_, here, target_);
    int next_links = 0;
    visit_next_links(here, fewest, [&](LinkId, const DragonflyRouter&) { ++next_links; });
    visit_next_links(here, fewest, [&](LinkId link, const DragonflyRouter& next) {
      shares_.push_back({link, share / next_links});
      leave(next, share / next_links);
    });
  }

 private:
  /// From `here` to `there`, both of one group.
  void cross_group(const DragonflyRouter& here, const DragonflyRouter& there, double share) {
    const bool both = DragonflyLayout::local_hops(here, there) == 2;
    const double part = both ? share / 2 : share;
    const auto add = [&](LinkId link) { shares_.push_back({link, part}); };
    layout_.walk_local(here, there, add);
    if (!both) return;
    add(layout_.black(here, there.chassis));
    add(layout_.green(in_chassis(here, there), there.blade));
  }

  /// Router with the blade of `blade` in the chassis of `chassis`.
  DragonflyRouter in_chassis(const DragonflyRouter& blade, const DragonflyRouter& chassis) const {
    return layout_.router(blade.group, chassis.local - chassis.blade + blade.blade);
  }

  /// Calls `visit(link, next router)` once for each next link of shortest routes from `here`, which
  /// have `fewest` local links.
  template <class Visit>
  void visit_next_links(const DragonflyRouter& here, int fewest, Visit visit) {
    for (int cable = 0; cable < layout_.cables(); ++cable) {
      if (!is_shortest(here, cable, fewest)) continue;
      const DragonflyRouter out = gateway(here, cable);
      if (out.local == here.local)
        visit(layout_.blue(here.group, target_.group, cable),
              layout_.gateway(target_.group, here.group, cable));
      if (out.blade != here.blade && is_first(here, cable, fewest, &DragonflyRouter::blade))
        visit(layout_.green(here, out.blade), in_chassis(out, here));
      if (out.chassis != here.chassis && is_first(here, cable, fewest, &DragonflyRouter::chassis))
        visit(layout_.black(here, out.chassis), in_chassis(here, out));
    }
  }

  DragonflyRouter gateway(const DragonflyRouter& here, int cable) const {
    return layout_.gateway(here.group, target_.group, cable);
  }

  bool is_shortest(const DragonflyRouter& here, int cable, int fewest) const {
    return local_hops_by(layout_, here, target_, cable) == fewest;
  }

  /// Whether no earlier cable of shortest routes starts from the same blade, or chassis.
  bool is_first(const DragonflyRouter& here, int cable, int fewest,
                int DragonflyRouter::*place) const {
    const int own = gateway(here, cable).*place;
    for (int earlier = 0; earlier < cable; ++earlier)
      if (gateway(here, earlier).*place == own && is_shortest(here, earlier, fewest)) return false;
    return true;
  }

  const DragonflyLayout& layout_;
  DragonflyRouter target_;
  std::vector<LinkShare>& shares_;
};

/// Distances to a set of routers of one group, each of which already costs something.
class GroupDistances {
 public:
  explicit GroupDistances(const DragonflyLayout& layout)
      : at_(static_cast<std::size_t>(layout.routers_per_group())),
        chassis_(at_.size()),
        blade_(at_.size()) {}

  void clear() {
    for (auto* costs : {&at_, &chassis_, &blade_}) std::fill(costs->begin(), costs->end(), far);
    any_ = far;
  }

  void add(const DragonflyRouter& router, int cost) {
    for (int* known :
         {&at(at_, router.local), &at(chassis_, router.chassis), &at(blade_, router.blade), &any_})
      *known = std::min(*known, cost);
  }

  int to(const DragonflyRouter& router) {
    return std::min({at(at_, router.local), at(chassis_, router.chassis) + 1,
                     at(blade_, router.blade) + 1, any_ + 2});
  }

 private:
  static constexpr int far = 1000;
  static int& at(std::vector<int>& costs, int place) {
    return costs[static_cast<std::size_t>(place)];
  }

  std::vector<int> at_, chassis_, blade_;
  int any_ = far;
};

/// Whether some router of `group` is as far as can be from all gateways to `other`.
bool has_remote_router(const DragonflyLayout& layout, int group, int other,
                       GroupDistances& distances) {
  distances.clear();
  for (int cable = 0; cable < layout.cables(); ++cable)
    distances.add(layout.gateway(group, other, cable), 0);
  for (int local = 0; local < layout.routers_in(group); ++local)
    if (distances.to(layout.router(group, local)) == layout.local_diameter()) return true;
  return false;
}

/// Most local links on the minimal route between routers of two groups; `known` if that is more,
/// and no more than `enough` are looked for.
int max_local_hops(const DragonflyLayout& layout, int group, int other, int known, int enough,
                   GroupDistances& distances) {
  for (int a = 0; a < layout.routers_in(group) && known < enough; ++a) {
    const DragonflyRouter from = layout.router(group, a);
    distances.clear();
    for (int cable = 0; cable < layout.cables(); ++cable)
      distances.add(layout.gateway(other, group, cable),
                    DragonflyLayout::local_hops(from, layout.gateway(group, other, cable)));
    for (int b = 0; b < layout.routers_in(other); ++b)
      known = std::max(known, distances.to(layout.router(other, b)));
  }
  return known;
}

int max_local_hops_between_groups(const DragonflyLayout& layout) {
  const int bound = 2 * layout.local_diameter();
  if (bound == 0) return 0;
  GroupDistances distances(layout);
  int most = 0;
  for (int group = 0; group < layout.groups(); ++group)
    for (int other = group + 1; other < layout.groups(); ++other) {
      if (has_remote_router(layout, group, other, distances) &&
          has_remote_router(layout, other, group, distances))
        return bound;
      most = max_local_hops(layout, group, other, most, bound - 1, distances);
    }
  return most;
}

/// Looks at all pairs of routers with hosts.
int diameter_of_unequal_groups(const DragonflyLayout& layout) {
  std::vector<DragonflyRouter> routers;
  int most = 0;
  for (int r = 0; r < layout.num_routers(); ++r) {
    const int hosts = layout.hosts_of(r);
    if (hosts > 0) routers.push_back(layout.router(r));
    if (hosts > 1) most = std::max(most, 2);
  }
  for (const DragonflyRouter& from : routers)
    for (const DragonflyRouter& to : routers)
      if (from.group != to.group)
        most = std::max(most, 3 + fewest_local_hops(layout, from, to));
      else
        most =
            std::max(most, from.local == to.local ? 0 : 2 + DragonflyLayout::local_hops(from, to));
  return most;
}

}  // namespace

void append_ecmp_shares(const DragonflyLayout& layout, HostId source, HostId destination,
                        std::vector<LinkShare>& shares) {
  if (source == destination) return;
  const std::size_t first = shares.size();
  shares.push_back({layout.up(source), 1});
  EcmpFlow(layout, layout.router_of(destination), shares).leave(layout.router_of(source), 1);
  shares.push_back({layout.down(destination), 1});
  if (takes_one_route(shares, first)) return;
  std::sort(shares.begin() + static_cast<std::ptrdiff_t>(first), shares.end(),
            [](const LinkShare& a, const LinkShare& b) {
              return a.link != b.link ? a.link < b.link : a.share < b.share;
            });
  join_entries(shares, first);
}

int dragonfly_diameter(const DragonflyLayout& layout) {
  if (!layout.has_equal_groups()) return diameter_of_unequal_groups(layout);
  if (layout.num_hosts() == 1) return 0;
  const bool hosts_share_a_group = layout.num_hosts() > layout.groups();
  const int inside = hosts_share_a_group ? 2 + layout.local_diameter() : 0;
  if (layout.groups() == 1) return inside;
  return std::max(inside, 3 + max_local_hops_between_groups(layout));
}

}  // namespace vtopo::detail

#include <algorithm>
#include <vector>

#include "netmodels/models/dragonfly/routes.hpp"

namespace vtopo::detail {

int fewest_local_hops(const DragonflyLayout& layout, const DragonflyRouter& from,
                      const DragonflyRouter& to) {
  int fewest = 4;
  for (int cable = 0; cable < layout.cables(); ++cable)
    fewest = std::min(fewest, local_hops_by(layout, from, to, cable));
  return fewest;
}

namespace {

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

int dragonfly_diameter(const DragonflyLayout& layout) {
  if (!layout.has_equal_groups()) return diameter_of_unequal_groups(layout);
  if (layout.num_hosts() == 1) return 0;
  const bool hosts_share_a_group = layout.num_hosts() > layout.groups();
  const int inside = hosts_share_a_group ? 2 + layout.local_diameter() : 0;
  if (layout.groups() == 1) return inside;
  return std::max(inside, 3 + max_local_hops_between_groups(layout));
}

}  // namespace vtopo::detail

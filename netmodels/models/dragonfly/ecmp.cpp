#include "netmodels/models/dragonfly/ecmp.hpp"

#include <algorithm>

#include "netmodels/link_shares.hpp"
#include "netmodels/models/dragonfly/routes.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail

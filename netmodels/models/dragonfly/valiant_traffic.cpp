#include <algorithm>

#include "netmodels/models/dragonfly/routes.hpp"
#include "netmodels/models/dragonfly/traffic.hpp"
#include "netmodels/models/dragonfly/valiant.hpp"

namespace vtopo::detail {

namespace {

/// A link that flows use on their way by some group.
struct Use {
  LinkId link;
  int by;
};

class ValiantTraffic final : public LinkTraffic {
 public:
  ValiantTraffic(const DragonflyLayout& layout, const DragonflyValiant& valiant)
      : layout_(layout),
        valiant_(valiant),
        sums_(layout.num_links()),
        sent_(layout),
        received_(layout) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    if (!valiant_.detours(source, destination))
      return walk_minimal(layout_, source, destination,
                          [&](LinkId link) { sums_.add(link, volume.value); });
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    sums_.add(layout_.up(source), volume.value);
    sums_.add(layout_.down(destination), volume.value);
    sent_.at(layout_.number_of(from), to.group).add(volume.value);
    received_.at(layout_.number_of(to), from.group).add(volume.value);
  }

  LinkTotals totals() override {
    if (layout_.groups() > 2) {
      for (int router = 0; router < layout_.num_routers(); ++router) {
        spread_local(layout_.router(router), sent_, true);
        spread_local(layout_.router(router), received_, false);
      }
      for (int group = 0; group < layout_.groups(); ++group) spread_between_groups(group);
    }
    return sums_.totals();
  }

 private:
  /// Part of a flow that takes one cable by way of one group.
  double per_cable() const { return 1.0 / (layout_.groups() - 2) / layout_.cables(); }

  /// Local links between `router` and the cables of its group. A link that leads to cables to one
  /// group only is not used by flows to that group: they pass others.
  void spread_local(const DragonflyRouter& router, RouterSums& sums, bool leaving) {
    const int id = layout_.number_of(router);
    FlowSum all;
    for (int other = 0; other < layout_.groups(); ++other)
      all.add(sums.at(id, other).volume, sums.at(id, other).flows);
    if (all.flows == 0) return;
    uses_.clear();
    for (int by = 0; by < layout_.groups(); ++by)
      for (int cable = 0; by != router.group && cable < layout_.cables(); ++cable) {
        const DragonflyRouter gateway = layout_.gateway(router.group, by, cable);
        layout_.walk_local(leaving ? router : gateway, leaving ? gateway : router,
                           [&](LinkId link) {
                             uses_.push_back({link, by});
                           });
      }
    for_each_used_link([&](const Use* first, const Use* last) {
      double volume = 0;
      for (const Use* use = first; use != last; ++use)
        volume += all.volume - sums.at(id, use->by).volume;
      const bool one_group = first->by == (last - 1)->by;
      sums_.add(first->link, volume * per_cable(),
                all.flows - (one_group ? sums.at(id, first->by).flows : 0));
    });
  }

  /// Global links of both legs of the flows from `group`, and local ones in intermediate groups.
  void spread_between_groups(int group) {
    std::vector<FlowSum> to(static_cast<std::size_t>(layout_.groups()));
    FlowSum all;
    for (int router = layout_.first_router(group); router < layout_.first_router(group + 1);
         ++router)
      for (int other = 0; other < layout_.groups(); ++other) {
        const FlowSum& sum = sent_.at(router, other);
        to[static_cast<std::size_t>(other)].add(sum.volume, sum.flows);
        all.add(sum.volume, sum.flows);
      }
    for (int by = 0; by < layout_.groups(); ++by) {
      if (by == group) continue;
      const FlowSum direct = to[static_cast<std::size_t>(by)];
      for (int cable = 0; cable < layout_.cables(); ++cable)
        sums_.add(layout_.blue(group, by, cable), (all.volume - direct.volume) * per_cable(),
                  all.flows - direct.flows);
      for (int other = 0; other < layout_.groups(); ++other)
        if (other != by && to[static_cast<std::size_t>(other)].flows > 0)
          spread_by(group, by, other, to[static_cast<std::size_t>(other)]);
    }
  }

  /// What passes `by` on its way from `group` to `other`.
  void spread_by(int group, int by, int other, const FlowSum& sum) {
    uses_.clear();
    for (int second = 0; second < layout_.cables(); ++second) {
      sums_.add(layout_.blue(by, other, second), sum.volume * per_cable(), sum.flows);
      for (int first = 0; first < layout_.cables(); ++first)
        layout_.walk_local(layout_.gateway(by, group, first), layout_.gateway(by, other, second),
                           [&](LinkId link) {
                             uses_.push_back({link, by});
                           });
    }
    const double part = sum.volume * per_cable() / layout_.cables();
    for_each_used_link([&](const Use* first, const Use* last) {
      sums_.add(first->link, part * static_cast<double>(last - first), sum.flows);
    });
  }

  /// Hands the uses of each link, in the order of groups, to `visit(first, last)`.
  template <class Visit>
  void for_each_used_link(Visit visit) {
    std::sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
      return a.link != b.link ? a.link < b.link : a.by < b.by;
    });
    const Use* const end = uses_.data() + uses_.size();
    for (const Use* first = uses_.data(); first != end;) {
      const Use* last = first;
      while (last != end && last->link == first->link) ++last;
      visit(first, last);
      first = last;
    }
  }

  const DragonflyLayout& layout_;
  const DragonflyValiant& valiant_;
  LinkSums sums_;
  RouterSums sent_;
  RouterSums received_;
  std::vector<Use> uses_;
};

}  // namespace

std::unique_ptr<LinkTraffic> DragonflyValiant::make_link_traffic() const {
  if (!RouterSums::fit(layout_)) return nullptr;
  return std::make_unique<ValiantTraffic>(layout_, *this);
}

}  // namespace vtopo::detail

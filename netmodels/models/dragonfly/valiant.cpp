#include "netmodels/models/dragonfly/valiant.hpp"

#include <algorithm>

#include "netmodels/links.hpp"
#include "netmodels/models/dragonfly/routes.hpp"
#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

namespace {

std::unique_ptr<std::atomic<double>[]> nothing_yet(std::int64_t size) {
  auto values = std::make_unique<std::atomic<double>[]>(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) values[static_cast<std::size_t>(i)] = -1;
  return values;
}

/// The value, computed at most once per thread: all threads find the same.
template <class Compute>
double remembered(std::atomic<double>& value, Compute compute) {
  double known = value.load(std::memory_order_relaxed);
  if (known >= 0) return known;
  known = compute();
  value.store(known, std::memory_order_relaxed);
  return known;
}

/// Sums by router and other group: what a router sends to a group, or what it receives from it.
class RouterSums {
 public:
  explicit RouterSums(const DragonflyLayout& layout);

  /// Whether the sums of a dragonfly take at most 64 MiB.
  static bool fit(const DragonflyLayout& layout);

  FlowSum& at(int router, int group) {
    return sums_[static_cast<std::size_t>(router) * groups_ + static_cast<std::size_t>(group)];
  }

 private:
  std::size_t groups_;
  std::vector<FlowSum> sums_;
};

RouterSums::RouterSums(const DragonflyLayout& layout)
    : groups_(static_cast<std::size_t>(layout.groups())),
      sums_(static_cast<std::size_t>(layout.num_routers()) * groups_) {}

bool RouterSums::fit(const DragonflyLayout& layout) {
  constexpr std::int64_t most = (std::int64_t{1} << 26) / sizeof(FlowSum);
  return layout.groups() <= most / layout.num_routers();
}

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

DragonflyValiant::DragonflyValiant(const DragonflyLayout& layout)
    : layout_(layout),
      by_router_(nothing_yet(layout.num_routers())),
      by_groups_(layout.groups() > 4096
                     ? nullptr
                     : nothing_yet(std::int64_t{layout.groups()} * layout.groups())) {}

bool DragonflyValiant::detours(HostId source, HostId destination) const {
  return layout_.groups() > 2 &&
         layout_.router_of(source).group != layout_.router_of(destination).group;
}

void DragonflyValiant::append_route(HostId source, HostId destination,
                                    std::vector<LinkId>& links) const {
  const auto add = [&](LinkId link) { links.push_back(link); };
  if (!detours(source, destination)) return walk_minimal(layout_, source, destination, add);
  const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
  const std::int64_t draw = std::int64_t{number(source)} + number(destination);
  int by = static_cast<int>(draw % (layout_.groups() - 2));
  if (by >= std::min(from.group, to.group)) ++by;
  if (by >= std::max(from.group, to.group)) ++by;
  const int first = number(source) % layout_.cables();
  const int second = number(destination) % layout_.cables();
  add(layout_.up(source));
  layout_.walk_local(from, layout_.gateway(from.group, by, first), add);
  add(layout_.blue(from.group, by, first));
  layout_.walk_local(layout_.gateway(by, from.group, first), layout_.gateway(by, to.group, second),
                     add);
  add(layout_.blue(by, to.group, second));
  layout_.walk_local(layout_.gateway(to.group, by, second), to, add);
  add(layout_.down(destination));
}

void DragonflyValiant::append_shares(HostId source, HostId destination,
                                     std::vector<LinkShare>& shares) const {
  const std::size_t first = shares.size();
  double share = 1;
  const auto add = [&](LinkId link) { shares.push_back({link, share}); };
  if (!detours(source, destination)) return walk_minimal(layout_, source, destination, add);
  const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
  const int cables = layout_.cables();
  add(layout_.up(source));
  add(layout_.down(destination));
  const double per_cable = 1.0 / (layout_.groups() - 2) / cables;
  const auto for_each_detour = [&](auto visit) {
    for (int by = 0; by < layout_.groups(); ++by)
      for (int cable = 0; cable < cables && by != from.group && by != to.group; ++cable)
        visit(by, cable);
  };
  share = per_cable / cables;  // the smallest first: sums of small numbers round least
  for_each_detour([&](int by, int cable) {
    for (int next = 0; next < cables; ++next)
      layout_.walk_local(layout_.gateway(by, from.group, cable),
                         layout_.gateway(by, to.group, next), add);
  });
  share = per_cable;
  for_each_detour([&](int by, int cable) {
    layout_.walk_local(from, layout_.gateway(from.group, by, cable), add);
    add(layout_.blue(from.group, by, cable));
    add(layout_.blue(by, to.group, cable));
    layout_.walk_local(layout_.gateway(to.group, by, cable), to, add);
  });
  if (!takes_one_route(shares, first)) join_entries(shares, first);
}

double DragonflyValiant::mean_hops(HostId source, HostId destination) const {
  const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
  const auto between = [&] {
    const auto compute = [&] { return local_hops_between_cables(from.group, to.group); };
    if (!by_groups_) return compute();
    const auto groups = static_cast<std::size_t>(layout_.groups());
    return remembered(by_groups_[static_cast<std::size_t>(from.group) * groups +
                                 static_cast<std::size_t>(to.group)],
                      compute);
  };
  const auto outside = [&](const DragonflyRouter& router, int other) {
    return remembered(by_router_[static_cast<std::size_t>(layout_.number_of(router))],
                      [&] { return local_hops_to_all_cables(router); }) -
           local_hops_to_cables(router, other);
  };
  const double cables = layout_.cables();
  const double local =
      (outside(from, to.group) + outside(to, from.group)) / cables + between() / cables / cables;
  return 4 + local / (layout_.groups() - 2);
}

int DragonflyValiant::local_hops_to_cables(const DragonflyRouter& router, int group) const {
  int sum = 0;
  for (int cable = 0; cable < layout_.cables(); ++cable)
    sum += DragonflyLayout::local_hops(router, layout_.gateway(router.group, group, cable));
  return sum;
}

double DragonflyValiant::local_hops_to_all_cables(const DragonflyRouter& router) const {
  double sum = 0;
  for (int group = 0; group < layout_.groups(); ++group)
    if (group != router.group) sum += local_hops_to_cables(router, group);
  return sum;
}

double DragonflyValiant::local_hops_between_cables(int group, int other) const {
  double sum = 0;
  for (int by = 0; by < layout_.groups(); ++by)
    if (by != group && by != other)
      for (int cable = 0; cable < layout_.cables(); ++cable)
        sum += local_hops_to_cables(layout_.gateway(by, group, cable), other);
  return sum;
}

std::unique_ptr<LinkTraffic> DragonflyValiant::make_link_traffic() const {
  if (!RouterSums::fit(layout_)) return nullptr;
  return std::make_unique<ValiantTraffic>(layout_, *this);
}

}  // namespace vtopo::detail

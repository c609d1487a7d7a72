#include "netmodels/models/dragonfly/valiant.hpp"

#include <algorithm>

#include "netmodels/link_shares.hpp"
#include "netmodels/models/dragonfly/routes.hpp"

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

}  // namespace vtopo::detail

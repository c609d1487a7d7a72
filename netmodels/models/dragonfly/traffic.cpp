#include "netmodels/models/dragonfly/traffic.hpp"

#include "netmodels/models/dragonfly/routes.hpp"

namespace vtopo::detail {

namespace {

/// With one cable between two groups: sums what routers send to groups, and receive from them.
class MinimalTraffic final : public LinkTraffic {
 public:
  explicit MinimalTraffic(const DragonflyLayout& layout)
      : layout_(layout), sums_(layout.num_links()), sent_(layout), received_(layout) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    sums_.add(layout_.up(source), volume.value);
    sums_.add(layout_.down(destination), volume.value);
    if (from.group == to.group)
      return layout_.walk_local(from, to, [&](LinkId link) { sums_.add(link, volume.value); });
    sent_.at(layout_.number_of(from), to.group).add(volume.value);
    received_.at(layout_.number_of(to), from.group).add(volume.value);
  }

  LinkTotals totals() override {
    for (int id = 0; id < layout_.num_routers(); ++id) {
      const DragonflyRouter router = layout_.router(id);
      for (int other = 0; other < layout_.groups(); ++other)
        if (other != router.group) spread(router, other);
    }
    return sums_.totals();
  }

 private:
  /// What a router sends and receives, between it and the cable to `other`.
  void spread(const DragonflyRouter& router, int other) {
    const FlowSum sent = sent_.at(layout_.number_of(router), other);
    const FlowSum received = received_.at(layout_.number_of(router), other);
    if (sent.flows > 0)
      walk_out(layout_, router, other, 0,
               [&](LinkId link) { sums_.add(link, sent.volume, sent.flows); });
    if (received.flows > 0)
      walk_in(layout_, router, other, 0,
              [&](LinkId link) { sums_.add(link, received.volume, received.flows); });
  }

  const DragonflyLayout& layout_;
  LinkSums sums_;
  RouterSums sent_;
  RouterSums received_;
};

}  // namespace

RouterSums::RouterSums(const DragonflyLayout& layout)
    : groups_(static_cast<std::size_t>(layout.groups())),
      sums_(static_cast<std::size_t>(layout.num_routers()) * groups_) {}

bool RouterSums::fit(const DragonflyLayout& layout) {
  constexpr std::int64_t most = (std::int64_t{1} << 26) / sizeof(FlowSum);
  return layout.groups() <= most / layout.num_routers();
}

std::unique_ptr<LinkTraffic> make_minimal_traffic(const DragonflyLayout& layout) {
  if (layout.cables() == 1 && RouterSums::fit(layout))
    return std::make_unique<MinimalTraffic>(layout);
  const auto walk = [&layout](HostId source, HostId destination, const auto& sink) {
    walk_minimal(layout, source, destination, sink);
  };
  return make_walked_traffic(layout.num_links(), walk);
}

}  // namespace vtopo::detail

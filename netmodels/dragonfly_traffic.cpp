#include "netmodels/dragonfly_traffic.hpp"

#include "netmodels/dragonfly_routes.hpp"

namespace vtopo {

namespace {

class WalkedMinimalTraffic final : public LinkTraffic {
 public:
  explicit WalkedMinimalTraffic(const DragonflyLayout& layout)
      : layout_(layout), sums_(layout.num_links()) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    walk_minimal(layout_, source, destination, [&](LinkId link) { sums_.add(link, volume.value); });
  }

  LinkTotals totals() override { return sums_.totals(); }

 private:
  const DragonflyLayout& layout_;
  LinkSums sums_;
};

class MinimalTraffic final : public LinkTraffic {
 public:
  explicit MinimalTraffic(const DragonflyLayout& layout)
      : layout_(layout),
        sums_(layout.num_links()),
        sent_(layout, layout.cables()),
        received_(layout, layout.cables()) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    sums_.add(layout_.up(source), volume.value);
    sums_.add(layout_.down(destination), volume.value);
    if (from.group == to.group)
      return layout_.walk_local(from, to, [&](LinkId link) { sums_.add(link, volume.value); });
    const int cable = nearest_cable(layout_, from, to, destination);
    sent_.at(layout_.number_of(from), to.group, cable).add(volume.value);
    received_.at(layout_.number_of(to), from.group, cable).add(volume.value);
  }

  LinkTotals totals() override {
    for (int id = 0; id < layout_.num_routers(); ++id) {
      const DragonflyRouter router = layout_.router(id);
      for (int other = 0; other < layout_.groups(); ++other)
        if (other != router.group)
          for (int cable = 0; cable < layout_.cables(); ++cable) spread(router, other, cable);
    }
    return sums_.totals();
  }

 private:
  /// From a router to a cable and over it, and from the cable's other direction to the router.
  void spread(const DragonflyRouter& router, int other, int cable) {
    const DragonflyRouter gateway = layout_.gateway(router.group, other, cable);
    const FlowSum sent = sent_.at(layout_.number_of(router), other, cable);
    const FlowSum received = received_.at(layout_.number_of(router), other, cable);
    if (sent.flows > 0) {
      const auto add = [&](LinkId link) { sums_.add(link, sent.volume, sent.flows); };
      layout_.walk_local(router, gateway, add);
      add(layout_.blue(router.group, other, cable));
    }
    if (received.flows > 0)
      layout_.walk_local(gateway, router,
                         [&](LinkId link) { sums_.add(link, received.volume, received.flows); });
  }

  const DragonflyLayout& layout_;
  LinkSums sums_;
  RouterSums sent_;
  RouterSums received_;
};

}  // namespace

LinkTotals LinkSums::totals() const {
  LinkTotals totals;
  totals.traffic.reserve(sums_.size());
  totals.flows.reserve(sums_.size());
  for (const FlowSum& sum : sums_) {
    totals.traffic.push_back(sum.volume);
    totals.flows.push_back(sum.flows);
  }
  return totals;
}

RouterSums::RouterSums(const DragonflyLayout& layout, int cables)
    : groups_(static_cast<std::size_t>(layout.groups())),
      cables_(static_cast<std::size_t>(cables)),
      sums_(static_cast<std::size_t>(layout.num_routers()) * groups_ * cables_) {}

bool RouterSums::fit(const DragonflyLayout& layout, int cables) {
  constexpr std::int64_t most = (std::int64_t{1} << 29) / sizeof(FlowSum);
  return std::int64_t{layout.groups()} * cables <= most / layout.num_routers();
}

std::unique_ptr<LinkTraffic> make_minimal_traffic(const DragonflyLayout& layout) {
  if (RouterSums::fit(layout, layout.cables())) return std::make_unique<MinimalTraffic>(layout);
  return std::make_unique<WalkedMinimalTraffic>(layout);
}

}  // namespace vtopo

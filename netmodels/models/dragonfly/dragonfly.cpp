#include "netmodels/models/dragonfly/dragonfly.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "netmodels/models/dragonfly/facts.hpp"
#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/models/dragonfly/routes.hpp"
#include "netmodels/models/dragonfly/valiant.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

class Dragonfly final : public ModelledNetwork {
 public:
  explicit Dragonfly(const DragonflySpec& spec)
      : ModelledNetwork(spec.defaults),
        spec_(checked_dragonfly(spec)),
        layout_(spec),
        rates_(dragonfly_links(spec)) {
    if (spec.routing.rule == Routing::valiant) valiant_.emplace(layout_);
  }

  LinkProperties link(LinkId link) const override { return rates(layout_.colour(link)); }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = layout_.link_ends(link);
    std::string name = vertex_name(from) + "->" + vertex_name(to);
    if (layout_.cables() > 1 && layout_.colour(link) == DragonflyColour::blue)
      name += fmt::format("#{}", layout_.cable_of(link));
    return name;
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override { return layout_.link_ends(link); }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const auto add = [&](LinkId link) { links.push_back(link); };
    if (valiant_) return valiant_->append_route(source, destination, links);
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    if (!forgets_chassis(from, to)) return walk_minimal(layout_, source, destination, add);
    add(layout_.up(source));
    walk_local_as_simgrid(layout_, from, to, add);
    add(layout_.down(destination));
  }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (valiant_) return valiant_->append_shares(source, destination, shares);
    if (spec_.routing.rule == Routing::ecmp)
      return append_ecmp_shares(layout_, source, destination, shares);
    Network::append_shares(source, destination, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    if (auto traffic = valiant_ ? valiant_->make_link_traffic() : nullptr) return traffic;
    if (splits() || spec_.routing.simgrid_compatible) return Network::make_link_traffic();
    return make_walked_traffic(layout_.num_links(),
                               [this](HostId source, HostId destination, const auto& add) {
                                 walk_minimal(layout_, source, destination, add);
                               });
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    if (from.group != to.group) return 3 + fewest_local(from, to);
    if (forgets_chassis(from, to)) return 3 + (to.chassis != 0 ? 1 : 0);
    return 2 + DragonflyLayout::local_hops(from, to);
  }

  double mean_hops(HostId source, HostId destination) const override {
    return valiant_ && valiant_->detours(source, destination)
               ? valiant_->mean_hops(source, destination)
               : hops(source, destination);
  }

  std::string vertex_name(int vertex) const override {
    if (vertex < layout_.num_hosts()) return host_name(HostId{vertex});
    const DragonflyRouter router = layout_.router(vertex - layout_.num_hosts());
    return fmt::format("r{}.{}.{}", router.group, router.chassis, router.blade);
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = modelled_facts(layout_.num_hosts(), layout_.num_links(),
                                        dragonfly_description(spec_), spec_.routing.rule, splits());
    for (const auto& [name, colour] :
         {std::pair{"hosts", DragonflyColour::host}, std::pair{"green", DragonflyColour::green},
          std::pair{"black", DragonflyColour::black}, std::pair{"blue", DragonflyColour::blue}})
      facts.link_classes.push_back(
          {name, layout_.links_of(colour), rates(colour).bandwidth, rates(colour).latency});
    facts.link_class = [this](LinkId link) { return static_cast<int>(layout_.colour(link)); };
    facts.injection_bandwidth = [this](HostId) { return rates(DragonflyColour::host).bandwidth; };
    facts.diameter = [this] {
      std::call_once(diameter_known_, [&] { diameter_ = dragonfly_diameter(layout_); });
      return diameter_;
    };
    add_dragonfly_facts(spec_, layout_, facts);
    return facts;
  }

  bool splits() const { return spec_.routing.rule != Routing::simgrid; }
  const LinkProperties& rates(DragonflyColour colour) const {
    return rates_[static_cast<std::size_t>(colour)];
  }

  /// As `fewest_local_hops`, of hops to the cables that are listed when first asked for: mappers
  /// ask for all pairs of routers.
  int fewest_local(const DragonflyRouter& from, const DragonflyRouter& to) const {
    const std::size_t cables = static_cast<std::size_t>(layout_.cables()),
                      row = static_cast<std::size_t>(layout_.groups()) * cables;
    constexpr std::size_t max_listed = std::size_t{1} << 26;
    if (index(layout_.num_routers()) * row > max_listed)
      return fewest_local_hops(layout_, from, to);
    std::call_once(cables_listed_, [&] {
      hops_to_cables_.resize(index(layout_.num_routers()) * row);
      auto next = hops_to_cables_.begin();
      for (int r = 0; r < layout_.num_routers(); ++r)
        for (int group = 0; group < layout_.groups(); ++group)
          for (int cable = 0; cable < layout_.cables(); ++cable, ++next)
            if (const DragonflyRouter router = layout_.router(r); router.group != group)
              *next = static_cast<std::uint8_t>(
                  DragonflyLayout::local_hops(router, layout_.gateway(router.group, group, cable)));
    });
    const auto at = [&](const DragonflyRouter& router, int group) {
      return &hops_to_cables_[index(layout_.number_of(router)) * row + index(group) * cables];
    };
    const std::uint8_t *leaving = at(from, to.group), *arriving = at(to, from.group);
    int fewest = 4;
    for (std::size_t c = 0; c < cables; ++c) fewest = std::min(fewest, leaving[c] + arriving[c]);
    return fewest;
  }

  /// Whether SimGrid's list of links for a pair of routers is asked for and is not the minimal
  /// route.
  bool forgets_chassis(const DragonflyRouter& from, const DragonflyRouter& to) const {
    return spec_.routing.simgrid_compatible && from.group == to.group && from.chassis != 0 &&
           from.blade != to.blade;
  }

  DragonflySpec spec_;
  DragonflyLayout layout_;
  std::array<LinkProperties, 4> rates_;  ///< by colour
  std::optional<DragonflyValiant> valiant_;
  mutable std::once_flag diameter_known_, cables_listed_;
  mutable std::vector<std::uint8_t> hops_to_cables_;  ///< by router, other group, cable
  mutable int diameter_ = 0;
};

}  // namespace

std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec) {
  return std::make_shared<Dragonfly>(spec);
}

}  // namespace vtopo::detail

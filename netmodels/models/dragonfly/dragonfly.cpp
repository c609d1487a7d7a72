#include "netmodels/models/dragonfly/dragonfly.hpp"

#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "netmodels/models/dragonfly/answers.hpp"
#include "netmodels/models/dragonfly/description.hpp"
#include "netmodels/models/dragonfly/ecmp.hpp"
#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/models/dragonfly/routes.hpp"
#include "netmodels/models/dragonfly/traffic.hpp"
#include "netmodels/models/dragonfly/valiant.hpp"
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

  int num_hosts() const override { return layout_.num_hosts(); }
  int num_links() const override { return layout_.num_links(); }

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

  Routing routing() const override { return spec_.routing.rule; }
  bool splits_flows() const override { return spec_.routing.rule != Routing::simgrid; }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (valiant_) return valiant_->append_shares(source, destination, shares);
    if (spec_.routing.rule == Routing::ecmp)
      return append_ecmp_shares(layout_, source, destination, shares);
    Network::append_shares(source, destination, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    std::unique_ptr<LinkTraffic> traffic;
    if (valiant_)
      traffic = valiant_->make_link_traffic();
    else if (!splits_flows() && !spec_.routing.simgrid_compatible)
      traffic = make_minimal_traffic(layout_);
    return traffic ? std::move(traffic) : Network::make_link_traffic();
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    const DragonflyRouter from = layout_.router_of(source), to = layout_.router_of(destination);
    if (from.group != to.group) return 3 + fewest_local_hops(layout_, from, to);
    if (forgets_chassis(from, to)) return 3 + (to.chassis != 0 ? 1 : 0);
    return 2 + DragonflyLayout::local_hops(from, to);
  }

  double mean_hops(HostId source, HostId destination) const override {
    return valiant_ && valiant_->detours(source, destination)
               ? valiant_->mean_hops(source, destination)
               : hops(source, destination);
  }

  int diameter() const override {
    std::call_once(diameter_known_, [&] { diameter_ = dragonfly_diameter(layout_); });
    return diameter_;
  }

  BytesPerSecond injection_bandwidth(HostId) const override {
    return rates(DragonflyColour::host).bandwidth;
  }

  /// Routers, chassis and groups; two hops or none to and from the blue link between groups.
  std::vector<HostGroups> hierarchy() const override {
    if (!layout_.has_equal_groups()) return {};
    const std::int64_t router = spec_.hosts_per_blade, chassis = router * spec_.blades;
    const int inside_chassis = 2 + (spec_.blades > 1 ? 1 : 0);
    const int inside_group = 2 + layout_.local_diameter();
    return {{router, 2},
            {chassis, inside_chassis},
            {chassis * spec_.chassis, inside_group},
            {num_hosts(), inside_group + 2}};
  }
  /// The routes that SimGrid forgets a chassis on differ by direction.
  HopMetric hop_metric() const override {
    if (spec_.routing.simgrid_compatible && spec_.chassis > 1 && spec_.blades > 1) return {};
    return RouterMetric{dragonfly_site(spec_)};
  }

  std::vector<HostParts> parts() const override { return dragonfly_parts(spec_, layout_); }
  std::vector<VertexCells> cuts() const override {
    if (spec_.routing.simgrid_compatible) return {};
    return dragonfly_cuts(spec_, layout_);
  }
  std::optional<HostSites> sites() const override {
    return HostSites{
        dragonfly_site(spec_), {}, !spec_.routing.simgrid_compatible, spec_.cables_per_pair};
  }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override {
    if (spec_.routing.simgrid_compatible) return {};
    return dragonfly_distance_profile(spec_, layout_);
  }
  std::optional<NetworkLayout> layout() const override { return dragonfly_picture(spec_, layout_); }
  std::string vertex_name(int vertex) const override {
    if (vertex < num_hosts()) return host_name(HostId{vertex});
    const DragonflyRouter router = layout_.router(vertex - num_hosts());
    return fmt::format("r{}.{}.{}", router.group, router.chassis, router.blade);
  }
  std::optional<SimgridCluster> simgrid_cluster() const override;

  std::vector<LinkClass> link_classes() const override {
    std::vector<LinkClass> classes;
    const auto add = [&](const char* name, DragonflyColour colour) {
      const LinkProperties properties = rates(colour);
      classes.push_back({name, layout_.links_of(colour), properties.bandwidth, properties.latency});
    };
    add("hosts", DragonflyColour::host);
    add("green", DragonflyColour::green);
    add("black", DragonflyColour::black);
    add("blue", DragonflyColour::blue);
    return classes;
  }

  int link_class(LinkId link) const override { return static_cast<int>(layout_.colour(link)); }

  std::string description() const override { return dragonfly_description(spec_); }

 private:
  const LinkProperties& rates(DragonflyColour colour) const {
    return rates_[static_cast<std::size_t>(colour)];
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
  mutable std::once_flag diameter_known_;
  mutable int diameter_ = 0;
};

std::optional<SimgridCluster> Dragonfly::simgrid_cluster() const {
  auto cluster = plain_cluster("DRAGONFLY", description());
  if (cluster && spec_.chassis != 1)
    cluster->difference =
        "SimGrid's routes inside a dragonfly group of several chassis are not valid paths";
  if (cluster && spec_.groups > spec_.blades)
    cluster->fatal = fmt::format("a dragonfly with more groups ({}) than blades per chassis ({})",
                                 spec_.groups, spec_.blades);
  return cluster;
}

}  // namespace

std::shared_ptr<const Network> make_dragonfly(const DragonflySpec& spec) {
  return std::make_shared<Dragonfly>(spec);
}

}  // namespace vtopo::detail

#include "netmodels/models/fat_tree/fat_tree.hpp"

#include "netmodels/link_rates.hpp"
#include "netmodels/models/fat_tree/answers.hpp"
#include "netmodels/models/fat_tree/levels.hpp"
#include "netmodels/models/fat_tree/routes.hpp"
#include "netmodels/models/fat_tree/traffic.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/network_planes.hpp"
#include "netmodels/no_detours.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

/// Refuses rules that say nothing about trees.
void check_routing(Routing rule) {
  switch (rule) {
    case Routing::automatic:  // simgrid by then
    case Routing::simgrid:
    case Routing::ecmp:
    case Routing::adaptive:  // made of the static rules
    case Routing::ideal:
      return;
    case Routing::positive:
    case Routing::split:
      throw UsageError(fmt::format(
          "routing \"{}\" decides ties on the rings of a torus, and a fat tree has none; accepted "
          "for a fat tree: simgrid (one route, D-mod-k), ecmp (all shortest routes)",
          to_string(rule)));
    case Routing::valiant:
      throw NoDetours(
          "routing \"valiant\" goes by way of a random intermediate, on a fat tree a random root, "
          "and that is what ecmp does; accepted for a fat tree: simgrid (one route, D-mod-k), ecmp "
          "(all shortest routes)");
  }
}

class FatTree final : public ModelledNetwork, public NetworkPlanes {
 public:
  explicit FatTree(const FatTreeSpec& spec, std::optional<FlowPlanes> planes = {})
      : ModelledNetwork(spec.defaults),
        spec_(spec),
        planes_(planes),
        levels_(spec, planes && planes->joined_tops),
        routes_(levels_, spec.down, planes) {
    check_routing(spec.routing.rule);
  }

  int num_hosts() const override { return levels_.num_hosts(); }
  int num_links() const override { return 2 * levels_.num_cables(); }

  LinkProperties link(LinkId link) const override { return levels_[levels_.level_of(link)].link; }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = levels_.ends(link);
    const FatTreeLevel& shape = levels_[levels_.level_of(link)].shape;
    const std::string suffix =
        shape.cables > 1 ? fmt::format("#{}", levels_.port(link) / shape.parents) : "";
    return vertex_name(from) + "->" + vertex_name(to) + suffix;
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override { return levels_.ends(link); }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const std::size_t start = links.size();
    const std::size_t end = start + static_cast<std::size_t>(hops(source, destination));
    links.resize(end);
    routes_.visit(
        source, destination,
        [&](int level, LinkId link) { links[start + static_cast<std::size_t>(level)] = link; },
        [&](int level, LinkId link) { links[end - 1 - static_cast<std::size_t>(level)] = link; });
  }

  Routing routing() const override { return spec_.routing.rule; }
  bool splits_flows() const override { return spec_.routing.rule == Routing::ecmp; }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (!splits_flows()) return ModelledNetwork::append_shares(source, destination, shares);
    const int peak = routes_.peak(number(source), number(destination));
    for (int l = 0; l < peak; ++l) append_spread(l, source, 0, shares);
    for (int l = peak - 1; l >= 0; --l) append_spread(l, destination, 1, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return splits_flows() ? make_spread_traffic(levels_, planes_)
                          : make_routed_traffic(levels_, routes_);
  }

  int hops(HostId source, HostId destination) const override {
    return 2 * routes_.peak(number(source), number(destination));
  }

  int diameter() const override { return 2 * routes_.peak(0, num_hosts() - 1); }

  BytesPerSecond injection_bandwidth(HostId) const override {
    return levels_[0].link.bandwidth * levels_[0].ports();
  }

  /// Subtrees; routes between them meet at the lowest switches above both.
  std::vector<HostGroups> hierarchy() const override {
    std::vector<HostGroups> levels;
    std::int64_t hosts = 1;
    int hops = 0;
    for (const FatTreeLevel& level : spec_.levels)
      levels.push_back({hosts *= level.children, hops += 2});
    return levels;
  }
  HopMetric hop_metric() const override { return TreeMetric{hierarchy()}; }

  std::vector<HostParts> parts() const override { return fat_tree_parts(levels_); }
  std::vector<VertexCells> cuts() const override { return fat_tree_cuts(levels_); }
  std::optional<HostSites> sites() const override {
    const int hosts = levels_[0].shape.children;
    return HostSites{hosts, {{num_hosts() / hosts, AxisKind::complete}}};
  }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override {
    return fat_tree_distance_profile(levels_);
  }
  std::optional<Bisection> bisection() const override { return fat_tree_bisection(levels_); }
  std::optional<NetworkLayout> layout() const override { return fat_tree_layout(levels_); }
  std::string vertex_name(int vertex) const override {
    const auto [level, position] = levels_.place(vertex);
    return level == 0 ? host_name(HostId{vertex}) : fmt::format("s{}.{}", level, position);
  }
  int planes() const override { return levels_.planes(); }
  int plane_of(LinkId link) const override {
    const int level = levels_.level_of(link);
    return levels_.plane(level, number(link) / 2 - levels_[level].first_cable);
  }
  std::shared_ptr<const Network> in_planes(const FlowPlanes& planes) const override {
    return std::make_shared<FatTree>(spec_, planes);
  }
  std::optional<SimgridCluster> simgrid_cluster() const override {
    return plain_cluster("FAT_TREE", description());
  }

  std::vector<LinkClass> link_classes() const override {
    std::vector<LinkClass> classes;
    for (int l = 0; l < levels_.size(); ++l) {
      const int end = l + 1 < levels_.size() ? levels_[l + 1].first_cable : levels_.num_cables();
      const std::string below = l == 0 ? "hosts" : fmt::format("s{}", l);
      classes.push_back({fmt::format("{} to s{} switches", below, l + 1),
                         2 * std::int64_t{end - levels_[l].first_cable}, levels_[l].link.bandwidth,
                         levels_[l].link.latency});
    }
    return classes;
  }

  int link_class(LinkId link) const override { return levels_.level_of(link); }

  std::string description() const override {
    std::vector<int> children, parents, cables;
    std::vector<LinkRates> rates;
    for (const FatTreeLevel& level : spec_.levels) {
      children.push_back(level.children);
      parents.push_back(level.parents);
      cables.push_back(level.cables);
      rates.push_back(level.rates);
    }
    return fmt::format("fat-tree:{};{};{};{}{}{}", levels_.size(), fmt::join(children, ","),
                       fmt::join(parents, ","), fmt::join(cables, ","),
                       spec_.down == DownCables::dmodk ? ",down=dmodk" : "",
                       rate_keys(rates, defaults()));
  }

 private:
  /// The cables up from, or down to, the subtree of level l around `host`: a flow that splits
  /// evenly reaches each node of the subtree with the same share, for it does so at the roots.
  void append_spread(int l, HostId host, int direction, std::vector<LinkShare>& shares) const {
    const FatTreeCables& level = levels_[l];
    const int cables = level.cables_of_subtree();
    const int first = level.first_cable_of_subtree(level.by_leaves.quotient(number(host)));
    const int plane = !planes_ ? 0 : direction == 0 ? planes_->out : planes_->in;
    const int used = planes_ ? cables / levels_.planes() : cables;
    for (int cable = 0; cable < cables; ++cable)
      if (!planes_ || levels_.plane(l, cable) == plane)
        shares.push_back({LinkId{2 * (first + cable) + direction}, 1.0 / used});
  }

  FatTreeSpec spec_;
  std::optional<FlowPlanes> planes_;  ///< that all flows keep to
  FatTreeLevels levels_;
  FatTreeRoutes routes_;
};

}  // namespace

std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec) {
  return std::make_shared<FatTree>(spec);
}

}  // namespace vtopo::detail

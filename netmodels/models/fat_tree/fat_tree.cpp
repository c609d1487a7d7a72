#include "netmodels/models/fat_tree/fat_tree.hpp"

#include "netmodels/models/fat_tree/levels.hpp"
#include "netmodels/models/fat_tree/routes.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
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

/// Sums of flows that split evenly over all shortest routes. Such a flow puts the same share on all
/// cables up from its source's subtree of each level, and down to its destination's: two additions
/// per level and flow, which totals() spreads over the cables.
class SpreadTraffic final : public LinkTraffic {
 public:
  SpreadTraffic(const FatTreeLevels& levels, const std::optional<FlowPlanes>& planes)
      : levels_(levels),
        planes_(planes),
        up_(static_cast<std::size_t>(levels.num_subtrees())),
        down_(static_cast<std::size_t>(levels.num_subtrees())) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    for (const FatTreeCables& level : levels_.all()) {
      const int from = level.by_leaves.quotient(number(source));
      const int to = level.by_leaves.quotient(number(destination));
      if (from == to && !(changes_plane() && source != destination)) break;
      up_[index(level.first_subtree + from)].add(volume.value);
      down_[index(level.first_subtree + to)].add(volume.value);
    }
  }

  LinkTotals totals() override {
    LinkTotals totals;
    const auto num_links = 2 * static_cast<std::size_t>(levels_.num_cables());
    totals.traffic.reserve(num_links);
    totals.flows.reserve(num_links);
    for (int l = 0; l < levels_.size(); ++l) spread(l, totals);
    return totals;
  }

 private:
  bool changes_plane() const { return planes_ && planes_->out != planes_->in; }

  /// Appends the links of a level, which come subtree by subtree.
  void spread(int l, LinkTotals& totals) const {
    const FatTreeCables& level = levels_[l];
    const int cables = level.cables_of_subtree();
    const int used = planes_ ? cables / levels_.planes() : cables;
    const int subtrees = levels_.num_hosts() / level.leaves;
    for (int subtree = 0; subtree < subtrees; ++subtree) {
      const std::size_t position = index(level.first_subtree + subtree);
      for (int cable = 0; cable < cables; ++cable) {
        const int plane = levels_.plane(l, cable);
        append(up_[position], used, !planes_ || plane == planes_->out, totals);
        append(down_[position], used, !planes_ || plane == planes_->in, totals);
      }
    }
  }

  static void append(const FlowSum& sum, int cables, bool is_used, LinkTotals& totals) {
    totals.traffic.push_back(is_used ? sum.volume / cables : 0);
    totals.flows.push_back(is_used ? sum.flows : 0);
  }

  const FatTreeLevels& levels_;
  std::optional<FlowPlanes> planes_;
  std::vector<FlowSum> up_;
  std::vector<FlowSum> down_;
};

class FatTree final : public ModelledNetwork {
 public:
  explicit FatTree(const FatTreeSpec& spec, std::optional<FlowPlanes> planes = {})
      : ModelledNetwork(spec.defaults),
        spec_(spec),
        planes_(planes),
        levels_(spec, planes && planes->joined_tops),
        routes_(levels_, spec.down, planes) {
    check_routing(spec.routing.rule);
  }

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

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (!splits()) return ModelledNetwork::append_shares(source, destination, shares);
    const int peak = routes_.peak(number(source), number(destination));
    for (int l = 0; l < peak; ++l) append_spread(l, source, 0, shares);
    for (int l = peak - 1; l >= 0; --l) append_spread(l, destination, 1, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    if (splits()) return std::make_unique<SpreadTraffic>(levels_, planes_);
    return make_walked_traffic(2 * levels_.num_cables(),
                               [this](HostId source, HostId destination, const auto& add) {
                                 const auto visit = [&](int, LinkId link) { add(link); };
                                 routes_.visit(source, destination, visit, visit);
                               });
  }

  int hops(HostId source, HostId destination) const override {
    return 2 * routes_.peak(number(source), number(destination));
  }

  std::string vertex_name(int vertex) const override {
    const auto [level, position] = levels_.place(vertex);
    return level == 0 ? host_name(HostId{vertex}) : fmt::format("s{}.{}", level, position);
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = modelled_facts(levels_.num_hosts(), 2 * levels_.num_cables(), {},
                                        spec_.routing.rule, splits());
    facts.diameter = [this] { return 2 * routes_.peak(0, levels_.num_hosts() - 1); };
    facts.planes = {
        levels_.planes(),
        [this](LinkId link) {
          const int level = levels_.level_of(link);
          return levels_.plane(level, number(link) / 2 - levels_[level].first_cable);
        },
        [this](const FlowPlanes& planes) { return std::make_shared<FatTree>(spec_, planes); }};
    add_fat_tree_facts(spec_, levels_, facts);
    return facts;
  }

  bool splits() const { return spec_.routing.rule == Routing::ecmp; }

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

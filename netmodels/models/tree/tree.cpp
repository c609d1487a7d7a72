#include "netmodels/models/tree/tree.hpp"

#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/models/tree/answers.hpp"
#include "netmodels/models/tree/subtrees.hpp"
#include "netmodels/no_detours.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

void check_tree_routing(const RoutingOptions& routing) {
  if (routing.rule == Routing::simgrid || routing.rule == Routing::ecmp) return;
  const auto sentence = fmt::format(
      "routing \"{}\" chooses among routes, and a tree has one between any two hosts; accepted for "
      "a tree: simgrid, ecmp (the same)",
      to_string(routing.rule));
  if (routing.rule == Routing::valiant) throw NoDetours(sentence);
  throw UsageError(sentence);
}

class Tree final : public ModelledNetwork {
 public:
  explicit Tree(const TreeSpec& spec) : ModelledNetwork(spec.defaults), spec_(spec), tree_(spec) {
    check_tree_routing(spec.routing);
  }

  int num_hosts() const override { return tree_.num_hosts(); }
  int num_links() const override { return tree_.num_links(); }
  LinkProperties link(LinkId link) const override { return row_of(link).link; }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = tree_.ends(link);
    return vertex_name(from) + "->" + vertex_name(to);
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return tree_.ends(link); }
  std::vector<LinkClass> link_classes() const override {
    std::vector<LinkClass> classes;
    for (const TreeRow& row : tree_.rows())
      classes.push_back({classes.empty() ? "hosts" : fmt::format("level {}", classes.size()),
                         2 * std::int64_t{row.count}, row.link.bandwidth, row.link.latency});
    return classes;
  }
  int link_class(LinkId link) const override { return narrow<int>(tree_.row_of(number(link) / 2)); }

  Routing routing() const override { return spec_.routing.rule; }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    tree_.for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
  }
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    tree_.for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
  }
  bool computes_runs() const override { return true; }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return make_walked_traffic(num_links(),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 tree_.for_each_link(source, destination, sink);
                               });
  }

  int hops(HostId source, HostId destination) const override {
    return tree_.distance(number(source), number(destination));
  }
  int diameter() const override { return tree_.distance(0, num_hosts() - 1); }
  BytesPerSecond injection_bandwidth(HostId) const override {
    return tree_.rows().front().link.bandwidth;
  }

  std::vector<HostGroups> hierarchy() const override { return tree_groups(spec_); }
  HopMetric hop_metric() const override { return TreeMetric{tree_groups(spec_)}; }
  std::vector<HostParts> parts() const override { return tree_parts(tree_); }
  std::vector<VertexCells> cuts() const override { return tree_cuts(tree_); }
  std::optional<HostSites> sites() const override { return tree_sites(spec_); }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override {
    return tree_distance_profile(tree_);
  }
  std::optional<Bisection> bisection() const override { return tree_bisection(tree_); }
  std::optional<NetworkLayout> layout() const override { return tree_picture(tree_); }
  std::string vertex_name(int vertex) const override {
    if (vertex < num_hosts()) return host_name(HostId{vertex});
    if (vertex == tree_.root()) return "root";
    const std::size_t row = tree_.row_of(vertex);
    return fmt::format("t{}.{}", row, vertex - tree_.rows()[row].first_vertex);
  }

  std::string description() const override { return tree_description(spec_); }

 private:
  const TreeRow& row_of(LinkId link) const { return tree_.rows()[tree_.row_of(number(link) / 2)]; }

  TreeSpec spec_;
  TreeRows tree_;
};

}  // namespace

std::shared_ptr<const Network> make_tree(const TreeSpec& spec) {
  return std::make_shared<Tree>(spec);
}

}  // namespace vtopo::detail

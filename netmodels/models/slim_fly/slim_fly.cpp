#include "netmodels/models/slim_fly/slim_fly.hpp"

#include "netmodels/link_rates.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/models/slim_fly/answers.hpp"
#include "netmodels/models/slim_fly/graph.hpp"
#include "netmodels/models/slim_fly/split_routes.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

void check_slim_fly_routing(const RoutingOptions& routing) {
  if (routing.rule != Routing::positive && routing.rule != Routing::split) return;
  throw UsageError(
      fmt::format("routing \"{}\" decides ties on the rings of a torus, and a slim-fly has none; "
                  "accepted for a slim-fly: simgrid (one shortest route), ecmp (all shortest "
                  "routes), valiant",
                  to_string(routing.rule)));
}

class SlimFly final : public ModelledNetwork {
 public:
  explicit SlimFly(const SlimFlySpec& spec)
      : ModelledNetwork(spec.defaults),
        spec_(spec),
        graph_(spec),
        cable_(link_properties(spec.host_rates, spec.defaults)),
        link_(link_properties(spec.router_rates, spec.defaults)) {
    check_slim_fly_routing(spec.routing);
  }

  int num_hosts() const override { return graph_.num_hosts(); }
  int num_links() const override { return graph_.num_links(); }
  LinkProperties link(LinkId link) const override { return graph_.is_cable(link) ? cable_ : link_; }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = graph_.ends(link);
    return vertex_name(from) + "->" + vertex_name(to);
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return graph_.ends(link); }
  std::vector<LinkClass> link_classes() const override {
    const std::int64_t cables = 2 * std::int64_t{num_hosts()};
    return {{"hosts", cables, cable_.bandwidth, cable_.latency},
            {"routers", num_links() - cables, link_.bandwidth, link_.latency}};
  }
  int link_class(LinkId link) const override { return graph_.is_cable(link) ? 0 : 1; }

  Routing routing() const override { return spec_.routing.rule; }
  bool splits_flows() const override { return routing() != Routing::simgrid; }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    if (splits_flows()) return Network::append_runs(source, destination, runs);
    for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
  }
  bool computes_runs() const override { return !splits_flows(); }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override;

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return 2 + graph_.distance(graph_.router(source), graph_.router(destination));
  }
  double mean_hops(HostId source, HostId destination) const override {
    if (routing() != Routing::valiant || graph_.router(source) == graph_.router(destination))
      return hops(source, destination);
    return 2 + mean_slim_fly_valiant_hops(graph_);
  }
  int diameter() const override { return 4; }
  BytesPerSecond injection_bandwidth(HostId) const override { return cable_.bandwidth; }

  std::vector<HostGroups> hierarchy() const override { return slim_fly_groups(graph_); }
  HopMetric hop_metric() const override { return RouterMetric{graph_.per_router()}; }
  std::vector<HostParts> parts() const override { return slim_fly_parts(graph_); }
  std::vector<VertexCells> cuts() const override { return slim_fly_cuts(graph_); }
  std::optional<HostSites> sites() const override { return HostSites{graph_.per_router(), {}}; }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override {
    return slim_fly_distance_profile(graph_);
  }
  std::optional<NetworkLayout> layout() const override { return slim_fly_picture(graph_); }
  std::string vertex_name(int vertex) const override {
    if (vertex < num_hosts()) return host_name(HostId{vertex});
    const SlimFlyRouter router = graph_.place(vertex - num_hosts());
    return fmt::format("r{}.{}.{}", router.side, router.group, router.place);
  }

  std::string description() const override { return slim_fly_description(spec_, graph_); }

  /// Calls `visit(link)` for the links of the one route.
  template <class Visit>
  void for_each_link(HostId source, HostId destination, Visit visit) const {
    if (source == destination) return;
    visit(graph_.up(source));
    const int from = graph_.router(source), to = graph_.router(destination);
    const int distance = graph_.distance(from, to);
    if (distance == 1) visit(graph_.link(from, to));
    if (distance == 2) {
      const int middle = graph_.middle(from, to, destination);
      visit(graph_.link(from, middle));
      visit(graph_.link(middle, to));
    }
    visit(graph_.down(destination));
  }

 private:
  SlimFlySpec spec_;
  SlimFlyGraph graph_;
  LinkProperties cable_;
  LinkProperties link_;
};

void SlimFly::append_shares(HostId source, HostId destination,
                            std::vector<LinkShare>& shares) const {
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  if (!splits_flows())
    return for_each_link(source, destination, [&](LinkId link) { add(link, 1); });
  if (source == destination) return;
  const int from = graph_.router(source), to = graph_.router(destination);
  add(graph_.up(source), 1);
  if (routing() == Routing::ecmp)
    visit_slim_fly_ecmp(graph_, from, to, 1, add);
  else
    append_slim_fly_valiant(graph_, from, to, shares);
  add(graph_.down(destination), 1);
}

std::unique_ptr<LinkTraffic> SlimFly::make_link_traffic() const {
  if (!splits_flows())
    return make_walked_traffic(num_links(),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 for_each_link(source, destination, sink);
                               });
  if (routing() == Routing::valiant) return make_slim_fly_valiant_traffic(graph_);
  return Network::make_link_traffic();
}

}  // namespace

std::shared_ptr<const Network> make_slim_fly(const SlimFlySpec& spec) {
  return std::make_shared<SlimFly>(spec);
}

}  // namespace vtopo::detail

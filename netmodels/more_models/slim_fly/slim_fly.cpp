#include "netmodels/more_models/slim_fly/slim_fly.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "netmodels/links.hpp"
#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/modelled_network.hpp"
#include "netmodels/more_models/slim_fly/graph.hpp"
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

/// Specification that gives the same network again.
std::string slim_fly_description(const SlimFlySpec& spec, const SlimFlyGraph& graph) {
  std::string text = fmt::format("slim-fly:q={}", spec.q);
  if (graph.per_router() != (graph.degree() + 1) / 2)
    text += fmt::format(",per_router={}", graph.per_router());
  const std::vector<LinkRates> rates{spec.host_rates, spec.router_rates};
  return text + rate_keys(rates, spec.defaults);
}

/// Routers and groups; in a group about half of the routers are joined.
std::vector<HostGroups> slim_fly_groups(const SlimFlyGraph& graph) {
  const std::int64_t router = graph.per_router();
  return {{router, 2}, {router * graph.q(), 3}, {graph.num_hosts(), 4}};
}

/// `group`: hosts of the q routers that differ in the place only; `router`.
std::vector<HostParts> slim_fly_parts(const SlimFlyGraph& graph) {
  const int hosts = graph.num_hosts(), router = graph.per_router(), group = router * graph.q();
  return {{"group", "groups", {equal_parts(hosts, group, 2 * graph.q())}},
          {"router", "routers", {equal_parts(hosts, router, graph.num_routers())}}};
}

/// Hosts, routers and groups. A flow takes a link of each of its two hosts, and between routers
/// links that are in the cuts of two routers.
std::vector<VertexCells> slim_fly_cuts(const SlimFlyGraph& graph) {
  const int hosts = graph.num_hosts(), routers = graph.num_routers(), q = graph.q();
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  VertexCells around{"routers", routers, {}, AxisKind::complete, 0.5};
  VertexCells groups{"groups", 2 * q, {}, AxisKind::complete, 0};
  for (int h = 0; h < hosts; ++h) {
    single.cell_of.push_back(h);
    around.cell_of.push_back(graph.router(HostId{h}));
  }
  for (int r = 0; r < routers; ++r) around.cell_of.push_back(r);
  for (const int router : around.cell_of) groups.cell_of.push_back(router / q);
  std::vector<VertexCells> families;
  for (VertexCells* family : {&single, &around, &groups}) families.push_back(std::move(*family));
  return families;
}

/// Hosts by hops from any.
std::vector<std::int64_t> slim_fly_distance_profile(const SlimFlyGraph& graph) {
  const std::int64_t per_router = graph.per_router(), joined = graph.degree();
  return {1, 0, per_router - 1, per_router * joined,
          per_router * (graph.num_routers() - 1 - joined)};
}

/// Groups on a circle, those of side 0 first.
GroupLayout slim_fly_picture(const SlimFlyGraph& graph) {
  const int q = graph.q();
  int columns = 1;
  while (columns * columns < q) ++columns;
  GroupLayout layout{{"group", 2 * q, " "},
                     "groups",
                     (q + columns - 1) / columns,
                     columns,
                     graph.num_hosts(),
                     fmt::format("{} at each router", graph.per_router()),
                     "a router's cables to about half of the others"};
  for (int group = 0; group <= 2 * q; ++group) layout.starts.push_back(group * q);
  return layout;
}

/// Calls `visit(link, share)` for the links of all shortest routes between two routers.
template <class Visit>
void visit_slim_fly_ecmp(const SlimFlyGraph& graph, int from, int to, double share, Visit visit) {
  const int distance = graph.distance(from, to);
  if (distance == 1) visit(graph.link(from, to), share);
  if (distance < 2) return;
  int middles = 0;
  graph.for_each_middle(from, to, [&](int) { ++middles; });
  graph.for_each_middle(from, to, [&](int middle) {
    visit(graph.link(from, middle), share / middles);
    visit(graph.link(middle, to), share / middles);
  });
}

/// Appends the expected shares of the two legs by way of a router drawn from all (L. G. Valiant, "A
/// Scheme for Fast Parallel Communication", 1982), each link once. O(routers log routers).
void append_slim_fly_valiant(const SlimFlyGraph& graph, int from, int to,
                             std::vector<LinkShare>& shares) {
  if (from == to) return;
  const std::size_t first = shares.size();
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  const double each = 1.0 / graph.num_routers();
  for (int by = 0; by < graph.num_routers(); ++by) {
    visit_slim_fly_ecmp(graph, from, by, each, add);
    visit_slim_fly_ecmp(graph, by, to, each, add);
  }
  join_entries(shares, first);
}

/// Mean number of links of both legs, whatever the ends.
double mean_slim_fly_valiant_hops(const SlimFlyGraph& graph) {
  const double routers = graph.num_routers(), joined = graph.degree();
  return 2 * (joined + 2 * (routers - 1 - joined)) / routers;
}

/// Traffic of such legs: what leaves and arrives by router, spread over the links at the end. Each
/// leg counts as a flow. `graph` must outlive it.
std::unique_ptr<LinkTraffic> make_slim_fly_valiant_traffic(const SlimFlyGraph& graph) {
  return make_visited_leg_traffic(graph, graph.num_routers(), graph.num_links(),
                                  [&graph](int from, int to, double share, const auto& add) {
                                    visit_slim_fly_ecmp(graph, from, to, share, add);
                                  });
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

  LinkProperties link(LinkId link) const override { return graph_.is_cable(link) ? cable_ : link_; }
  std::string link_name(LinkId link) const override {
    const auto [from, to] = graph_.ends(link);
    return vertex_name(from) + "->" + vertex_name(to);
  }
  std::optional<LinkEnds> link_ends(LinkId link) const override { return graph_.ends(link); }
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    for_each_link(source, destination, [&](LinkId link) { links.push_back(link); });
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override;
  void append_runs(HostId source, HostId destination, std::vector<LinkRun>& runs) const override {
    if (splits()) return Network::append_runs(source, destination, runs);
    for_each_link(source, destination, [&](LinkId link) { runs.push_back({link}); });
  }
  std::unique_ptr<LinkTraffic> make_link_traffic() const override;

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return 2 + graph_.distance(graph_.router(source), graph_.router(destination));
  }
  double mean_hops(HostId source, HostId destination) const override {
    if (rule() != Routing::valiant || graph_.router(source) == graph_.router(destination))
      return hops(source, destination);
    return 2 + mean_slim_fly_valiant_hops(graph_);
  }
  std::string vertex_name(int vertex) const override {
    if (vertex < graph_.num_hosts()) return host_name(HostId{vertex});
    const SlimFlyRouter router = graph_.place(vertex - graph_.num_hosts());
    return fmt::format("r{}.{}.{}", router.side, router.group, router.place);
  }

 private:
  NetworkFacts make_facts() const override {
    const int hosts = graph_.num_hosts();
    NetworkFacts facts = modelled_facts(hosts, graph_.num_links(),
                                        slim_fly_description(spec_, graph_), rule(), splits());
    facts.computes_runs = !splits();
    facts.hierarchy = slim_fly_groups(graph_);
    facts.hop_metric = RouterMetric{graph_.per_router()};
    facts.sites = HostSites{graph_.per_router(), {}};
    facts.layout = slim_fly_picture(graph_);
    const std::int64_t cables = 2 * std::int64_t{hosts};
    facts.link_classes = {{"hosts", cables, cable_.bandwidth, cable_.latency},
                          {"routers", graph_.num_links() - cables, link_.bandwidth, link_.latency}};
    facts.link_class = [this](LinkId link) { return graph_.is_cable(link) ? 0 : 1; };
    facts.injection_bandwidth = [this](HostId) { return cable_.bandwidth; };
    facts.diameter = [] { return 4; };
    facts.parts = [this] { return slim_fly_parts(graph_); };
    facts.cuts = [this] { return slim_fly_cuts(graph_); };
    facts.distance_profile = [this](std::int64_t) { return slim_fly_distance_profile(graph_); };
    return facts;
  }

  Routing rule() const { return spec_.routing.rule; }
  bool splits() const { return rule() != Routing::simgrid; }

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

  SlimFlySpec spec_;
  SlimFlyGraph graph_;
  LinkProperties cable_;
  LinkProperties link_;
};

void SlimFly::append_shares(HostId source, HostId destination,
                            std::vector<LinkShare>& shares) const {
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  if (!splits()) return for_each_link(source, destination, [&](LinkId link) { add(link, 1); });
  if (source == destination) return;
  const int from = graph_.router(source), to = graph_.router(destination);
  add(graph_.up(source), 1);
  if (rule() == Routing::ecmp)
    visit_slim_fly_ecmp(graph_, from, to, 1, add);
  else
    append_slim_fly_valiant(graph_, from, to, shares);
  add(graph_.down(destination), 1);
}

std::unique_ptr<LinkTraffic> SlimFly::make_link_traffic() const {
  if (!splits())
    return make_walked_traffic(graph_.num_links(),
                               [this](HostId source, HostId destination, const auto& sink) {
                                 for_each_link(source, destination, sink);
                               });
  if (rule() == Routing::valiant) return make_slim_fly_valiant_traffic(graph_);
  return Network::make_link_traffic();
}

}  // namespace

std::shared_ptr<const Network> make_slim_fly(const SlimFlySpec& spec) {
  return std::make_shared<SlimFly>(spec);
}

}  // namespace vtopo::detail

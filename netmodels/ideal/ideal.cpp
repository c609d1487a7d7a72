#include "netmodels/load_routing/ideal.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/ideal/min_congestion.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

/// The one way in and out of hosts that have one: no routing changes what is on it.
class Cables {
 public:
  explicit Cables(const LinkGraph& graph) : graph_(graph) {}

  bool has(HostId host) const {
    const int h = number(host);
    return !graph_.passes_on(h) && graph_.out_arcs(h).size() == 1 &&
           graph_.in_arcs(h).size() == 1 && out(host).to == in(host).from;
  }
  const Arc& out(HostId host) const { return graph_.out_arcs(number(host)).front(); }
  const Arc& in(HostId host) const { return graph_.in_arcs(number(host)).front(); }
  /// Where routing begins: the router of a host, or the host itself.
  int vertex(HostId host) const { return has(host) ? out(host).to : number(host); }

 private:
  const LinkGraph& graph_;
};

/// Shares of a traffic's pairs, and what they achieve.
struct RoutedPairs {
  HostPairs pairs;
  std::vector<std::optional<std::size_t>> demand_of;  ///< of each pair; none inside a router
  MinCongestion routing;
};

class IdealProblem {
 public:
  IdealProblem(const Network& network, std::shared_ptr<const LinkGraph> graph, HostPairs pairs)
      : network_(network), graph_(std::move(graph)), cables_(*graph_), shortest_(graph_) {
    problem_.capacity = link_capacities(network);
    routed_.pairs = std::move(pairs);
    add_demands();
    add_floor();
    leave_out_cables();
  }

  RoutedPairs solved() && {
    CongestionEffort effort;
    effort.threads = hardware_threads();
    routed_.routing = min_congestion(*between_routers_, problem_, effort);
    return std::move(routed_);
  }

 private:
  void add_demands() {
    std::map<std::pair<int, int>, std::size_t> known;
    for (const HostFlow& pair : routed_.pairs) {
      const int from = cables_.vertex(pair.source), to = cables_.vertex(pair.destination);
      if (shortest_.distance(pair.source, pair.destination) == LinkGraph::unreachable)
        throw InputError(fmt::format("there is no route from \"{}\" to \"{}\"",
                                     network_.host_name(pair.source),
                                     network_.host_name(pair.destination)));
      if (from == to) {
        routed_.demand_of.push_back(std::nullopt);
        continue;
      }
      const auto [place, is_new] = known.emplace(std::pair{from, to}, problem_.demands.size());
      routed_.demand_of.push_back(place->second);
      if (is_new) begin(pair, from, to);
      problem_.demands[place->second].volume += pair.volume.value;
    }
  }

  /// A demand begins with an even split over the shortest routes.
  void begin(const HostFlow& pair, int from, int to) {
    problem_.demands.push_back({from, to, 0});
    std::vector<LinkShare> shares;
    shortest_.append_shares(pair.source, pair.destination, shares);
    for (const LinkShare& on : shares) {
      const bool is_cable =
          (cables_.has(pair.source) && cables_.out(pair.source).link == on.link) ||
          (cables_.has(pair.destination) && cables_.in(pair.destination).link == on.link);
      if (!is_cable) problem_.start.push(on);
    }
    problem_.start.end_row();
  }

  void add_floor() {
    std::vector<double> load(problem_.capacity.size());
    for (const HostFlow& pair : routed_.pairs) {
      if (cables_.has(pair.source)) load[index(cables_.out(pair.source).link)] += pair.volume.value;
      if (cables_.has(pair.destination))
        load[index(cables_.in(pair.destination).link)] += pair.volume.value;
    }
    for (std::size_t l = 0; l < load.size(); ++l)
      problem_.floor = std::max(problem_.floor, load[l] / problem_.capacity[l]);
  }

  /// No path between routers takes them: searches need not either.
  void leave_out_cables() {
    std::vector<bool> without(index(network_.num_links()));
    for (int l = 0; l < network_.num_links(); ++l)
      without[index(l)] = !network_.link_is_up(LinkId{l});
    for (int h = 0; h < network_.num_hosts(); ++h)
      if (cables_.has(HostId{h}))
        without[index(cables_.out(HostId{h}).link)] = without[index(cables_.in(HostId{h}).link)] =
            true;
    between_routers_ = LinkGraph::of(network_, without);
  }

  const Network& network_;
  std::shared_ptr<const LinkGraph> graph_;
  std::shared_ptr<const LinkGraph> between_routers_;
  Cables cables_;
  ShortestRoutes shortest_;
  CongestionProblem problem_;
  RoutedPairs routed_;
};

class IdeallyRouted final : public RoutedTraffic {
 public:
  IdeallyRouted(std::shared_ptr<const Network> shortest, std::shared_ptr<const LinkGraph> graph,
                RoutedPairs routed)
      : RoutedTraffic(std::move(shortest), Routing::ideal),
        graph_(std::move(graph)),
        cables_(*graph_),
        routed_(std::move(routed)) {}

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    const auto pair = find_pair(routed_.pairs, source, destination);
    const auto demand = pair ? routed_.demand_of[*pair] : std::nullopt;
    if (!demand) return base()->append_shares(source, destination, shares);
    if (cables_.has(source)) shares.push_back({cables_.out(source).link, 1});
    for (const LinkShare& on : routed_.routing.shares.row(*demand)) shares.push_back(on);
    if (cables_.has(destination)) shares.push_back({cables_.in(destination).link, 1});
  }

  IdealCongestion congestion() const {
    return {{routed_.routing.congestion}, {routed_.routing.bound}};
  }

 private:
  std::shared_ptr<const LinkGraph> graph_;
  Cables cables_;
  RoutedPairs routed_;
};

class Ideal final : public TrafficRouting {
 public:
  Ideal(std::shared_ptr<const Network> shortest, std::shared_ptr<const LinkGraph> graph)
      : TrafficRouting(std::move(shortest), Routing::ideal), graph_(std::move(graph)) {}

 private:
  std::shared_ptr<const Network> route(HostPairs pairs) const override {
    return std::make_shared<IdeallyRouted>(
        base(), graph_, IdealProblem(*base(), graph_, std::move(pairs)).solved());
  }

  std::shared_ptr<const LinkGraph> graph_;
};

std::shared_ptr<const Network> make_ideal(std::shared_ptr<const Network> shortest) {
  auto graph = working_graph(*shortest);
  if (!graph)
    throw UsageError("routing ideal needs to know where links lead; of " + shortest->description() +
                     " only routes are known");
  return std::make_shared<Ideal>(std::move(shortest), std::move(graph));
}

std::optional<IdealCongestion> ideal_congestion(const Network& network,
                                                std::span<const HostFlow> traffic) {
  auto graph = working_graph(network);
  if (!graph) return std::nullopt;
  const auto routed = IdealProblem(network, std::move(graph), joined_pairs(traffic)).solved();
  return IdealCongestion{{routed.routing.congestion}, {routed.routing.bound}};
}

std::optional<IdealCongestion> ideal_congestion_of(const Network& routed) {
  const auto* const ideal = dynamic_cast<const IdeallyRouted*>(&routed);
  return ideal != nullptr ? std::optional(ideal->congestion()) : std::nullopt;
}

}  // namespace

/// Named by the link options of vtopo::ideal: without them the linker would leave out this object,
/// which the core does not name.
constinit const IdealRouting vtopo_ideal_routing{make_ideal, ideal_congestion, ideal_congestion_of};

}  // namespace vtopo::detail

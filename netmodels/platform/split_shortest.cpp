#include "netmodels/platform/split_shortest.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "netmodels/graph/distances.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

class SplitOverShortest final : public RoutedTraffic {
 public:
  SplitOverShortest(std::shared_ptr<const Network> network,
                    const std::shared_ptr<const LinkGraph>& graph)
      : RoutedTraffic(std::move(network), Routing::ecmp),
        shortest_(graph),
        diameter_(link_distances(*graph, *base()).diameter) {}

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (joined(source, destination)) return shortest_.append_route(source, destination, links);
    base()->append_route(source, destination, links);
  }
  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (joined(source, destination)) return shortest_.append_shares(source, destination, shares);
    base()->append_shares(source, destination, shares);
  }
  int hops(HostId source, HostId destination) const override {
    const int links = shortest_.distance(source, destination);
    return links != LinkGraph::unreachable ? links : base()->hops(source, destination);
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    Network::hops_from(source, destinations, result);
  }

 private:
  /// What follows from the routes of the file holds no longer.
  NetworkFacts make_facts() const override {
    NetworkFacts facts = RoutedTraffic::make_facts();
    facts.diameter = [this] { return diameter_; };
    facts.hop_metric = {};
    facts.sites.reset();
    facts.distance_profile = nullptr;
    return facts;
  }

  bool joined(HostId source, HostId destination) const {
    return shortest_.distance(source, destination) != LinkGraph::unreachable;
  }

  ShortestRoutes shortest_;
  int diameter_;
};

}  // namespace

std::shared_ptr<const Network> split_over_shortest(std::shared_ptr<const Network> network) {
  auto graph = working_graph(*network);
  if (!graph)
    throw UsageError(
        fmt::format("routing ecmp needs to know where links lead; of {} only routes are known",
                    network->description()));
  for (int l = 0; l < network->num_links(); ++l) {
    const auto ends = network->link_ends(LinkId{l});
    if (network->link(LinkId{l}).hops == 1 || ends->from == ends->to) continue;
    throw UsageError(
        fmt::format("routing ecmp takes the routes with the fewest links; link \"{}\" of {} limits "
                    "hosts and is on no way",
                    network->link_name(LinkId{l}), network->description()));
  }
  return std::make_shared<SplitOverShortest>(std::move(network), std::move(graph));
}

}  // namespace vtopo::detail

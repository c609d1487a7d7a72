#include "sim/evaluation/bounds/least_hops.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <variant>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-9;  // of sums of hops that a user gave

/// Says nothing of distances but their hops.
class OtherHops : public WrappedNetwork {
 public:
  using WrappedNetwork::WrappedNetwork;

  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    Network::hops_from(source, destinations, result);
  }
  HopMetric hop_metric() const override { return {}; }
  std::vector<HostGroups> hierarchy() const override { return {}; }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override { return {}; }
};

class NoHops final : public OtherHops {
 public:
  using OtherHops::OtherHops;

  int hops(HostId, HostId) const override { return 0; }
};

/// Searches anew whenever it is asked for another source.
class ShortestPaths final : public OtherHops {
 public:
  ShortestPaths(std::shared_ptr<const Network> base, std::shared_ptr<const LinkGraph> graph)
      : OtherHops(std::move(base)), graph_(std::move(graph)) {
    for (int l = 0; l < num_links(); ++l) hops_of_link_.push_back(link(LinkId{l}).hops);
    steps_are_hops_ = std::all_of(hops_of_link_.begin(), hops_of_link_.end(),
                                  [](double hops) { return hops == 1; });
  }

  int hops(HostId source, HostId destination) const override {
    if (source != source_) search(source);
    const double hops = hops_[static_cast<std::size_t>(number(destination))];
    return std::isfinite(hops) ? static_cast<int>(hops + rounding)
                               : base()->hops(source, destination);
  }

 private:
  using Entry = std::pair<double, int>;

  void search(HostId source) const {
    source_ = source;
    hops_.assign(static_cast<std::size_t>(graph_->num_vertices()),
                 std::numeric_limits<double>::infinity());
    hops_[static_cast<std::size_t>(number(source))] = 0;
    if (steps_are_hops_)
      go_on(std::queue<Entry>(), [](const auto& next) { return next.front(); });
    else
      go_on(std::priority_queue<Entry, std::vector<Entry>, std::greater<>>(),
            [](const auto& next) { return next.top(); });
  }

  template <class Queue, class First>
  void go_on(Queue next, First first) const {
    next.emplace(0, number(source_));
    while (!next.empty()) {
      const auto [hops, vertex] = first(next);
      next.pop();
      if (hops > hops_[static_cast<std::size_t>(vertex)]) continue;
      for (const Arc& arc : graph_->out_arcs(vertex)) {
        double& known = hops_[static_cast<std::size_t>(arc.to)];
        const double there = hops + hops_of_link_[static_cast<std::size_t>(number(arc.link))];
        if (there < known) known = there, next.emplace(there, arc.to);
      }
    }
  }

  std::shared_ptr<const LinkGraph> graph_;
  std::vector<double> hops_of_link_;
  bool steps_are_hops_;  ///< of all links: the first in a queue is the nearest then
  mutable HostId source_{-1};
  mutable std::vector<double> hops_;  ///< from the source to each vertex
};

/// Not an owner.
std::shared_ptr<const Network> pointer_to(const Network& network) {
  return {std::shared_ptr<const Network>(), &network};
}

/// On grids and in trees no path is shorter than the network's own.
bool may_be_undercut(const Network& network) {
  const Routing rule = network.routing();
  const bool takes_detours =
      rule == Routing::valiant || rule == Routing::adaptive || rule == Routing::ideal;
  return takes_detours && !network.coordinates() &&
         !std::holds_alternative<TreeMetric>(network.hop_metric());
}

}  // namespace

std::shared_ptr<const Network> with_shortest_paths(const Network& network) {
  auto graph = working_graph(network);
  if (!graph) return nullptr;
  return std::make_shared<ShortestPaths>(pointer_to(network), std::move(graph));
}

LeastHops::LeastHops(const Network& network) : network_(network) {
  if (!may_be_undercut(network)) return;
  paths_ = with_shortest_paths(network);
  if (!paths_) paths_ = std::make_shared<NoHops>(pointer_to(network));
}

}  // namespace vtopo::detail

#include "sim/evaluation/bounds/least_hops.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <variant>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/traffic_routing/wrapped_network.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-9;  // of sums of hops that a user gave

/// Hops of shortest paths; searches anew whenever it is asked for another source.
class ShortestPaths final : public WrappedNetwork {
 public:
  explicit ShortestPaths(std::shared_ptr<const Network> base)
      : WrappedNetwork(std::move(base)), graph_(working_graph()) {}

  int hops(HostId source, HostId destination) const override {
    if (!graph_) return 0;
    if (source != source_) search(source);
    const double hops = hops_[static_cast<std::size_t>(number(destination))];
    return std::isfinite(hops) ? static_cast<int>(hops + rounding)
                               : base()->hops(source, destination);
  }
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    Network::hops_from(source, destinations, result);
  }
  // These hold for the network's own routes.
  HopMetric hop_metric() const override { return {}; }
  std::vector<HostGroups> hierarchy() const override { return {}; }
  std::vector<std::int64_t> distance_profile(std::int64_t) const override { return {}; }

 private:
  std::shared_ptr<const LinkGraph> working_graph() const {
    std::vector<bool> without(static_cast<std::size_t>(num_links()));
    for (int l = 0; l < num_links(); ++l)
      without[static_cast<std::size_t>(l)] = !link_is_up(LinkId{l});
    return LinkGraph::of(*this, without);
  }

  void search(HostId source) const {
    source_ = source;
    hops_.assign(static_cast<std::size_t>(graph_->num_vertices()),
                 std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    const auto reach = [&](int vertex, double hops) {
      double& known = hops_[static_cast<std::size_t>(vertex)];
      if (hops < known) known = hops, next.emplace(hops, vertex);
    };
    reach(number(source), 0);
    while (!next.empty()) {
      const auto [hops, vertex] = next.top();
      next.pop();
      if (hops > hops_[static_cast<std::size_t>(vertex)]) continue;
      if (vertex != number(source) && !graph_->passes_on(vertex)) continue;
      for (const Arc& arc : graph_->out_arcs(vertex)) reach(arc.to, hops + link(arc.link).hops);
    }
  }

  std::shared_ptr<const LinkGraph> graph_;
  mutable HostId source_{-1};
  mutable std::vector<double> hops_;  ///< from the source to each vertex
};

/// On grids and in trees no path is shorter than the network's own.
bool may_be_undercut(const Network& network) {
  const Routing rule = network.routing();
  const bool takes_detours =
      rule == Routing::valiant || rule == Routing::adaptive || rule == Routing::ideal;
  return takes_detours && !network.coordinates() &&
         !std::holds_alternative<TreeMetric>(network.hop_metric());
}

}  // namespace

LeastHops::LeastHops(const Network& network) : network_(network) {
  // Not an owner.
  if (may_be_undercut(network))
    paths_ = std::make_shared<ShortestPaths>(
        std::shared_ptr<const Network>(std::shared_ptr<const Network>(), &network));
}

}  // namespace vtopo::detail

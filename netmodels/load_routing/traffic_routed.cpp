#include "netmodels/load_routing/traffic_routed.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace vtopo::detail {

namespace {

std::pair<HostId, HostId> ends(const HostFlow& flow) {
  return {flow.source, flow.destination};
}

bool same_pairs(const HostPairs& a, const HostPairs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return ends(x) == ends(y) && x.volume == y.volume;
  });
}

}  // namespace

HostPairs joined_pairs(std::span<const HostFlow> flows) {
  HostPairs pairs;
  for (const HostFlow& flow : flows)
    if (flow.source != flow.destination && flow.volume.value > 0) pairs.push_back(flow);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return ends(a) < ends(b); });
  std::size_t last = 0;
  for (std::size_t f = 1; f < pairs.size(); ++f)
    if (ends(pairs[f]) == ends(pairs[last]))
      pairs[last].volume += pairs[f].volume;
    else
      pairs[++last] = pairs[f];
  if (!pairs.empty()) pairs.resize(last + 1);
  return pairs;
}

std::optional<std::size_t> find_pair(const HostPairs& pairs, HostId source, HostId destination) {
  const std::pair wanted{source, destination};
  const auto place = std::lower_bound(pairs.begin(), pairs.end(), wanted,
                                      [](const auto& a, const auto& b) { return ends(a) < b; });
  if (place == pairs.end() || ends(*place) != wanted) return std::nullopt;
  return static_cast<std::size_t>(place - pairs.begin());
}

std::shared_ptr<const LinkGraph> working_graph(const Network& network) {
  std::vector<bool> down(index(network.num_links()));
  for (int l = 0; l < network.num_links(); ++l) down[index(l)] = !network.link_is_up(LinkId{l});
  return LinkGraph::of(network, down);
}

std::vector<double> link_capacities(const Network& network) {
  std::vector<double> capacity;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties is = network.link(LinkId{l});
    capacity.push_back(is.sharing == LinkSharing::shared ? is.bandwidth.value
                                                         : std::numeric_limits<double>::infinity());
  }
  return capacity;
}

double RoutedTraffic::mean_hops(HostId source, HostId destination) const {
  std::vector<LinkShare> shares;
  append_shares(source, destination, shares);
  double sum = 0;
  for (const auto& [id, share] : shares) sum += share * link(id).hops;
  return sum;
}

std::shared_ptr<const Network> TrafficRouting::route_traffic(
    std::span<const HostFlow> traffic) const {
  HostPairs pairs = joined_pairs(traffic);
  const std::scoped_lock lock(mutex_);
  for (const auto& [known, routed] : last_)
    if (same_pairs(pairs, known)) return routed;
  if (last_.size() == most_kept) last_.pop_front();
  auto routed = route(pairs);
  last_.emplace_back(std::move(pairs), routed);
  return routed;
}

}  // namespace vtopo::detail

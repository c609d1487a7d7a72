#include "netmodels/graph/shortest_routes.hpp"

#include <algorithm>
#include <map>

#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_bytes = std::size_t{64} << 20;

/// Well mixed bits of both numbers, the same on every machine.
std::uint64_t mixed(int vertex, int destination) {
  const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(vertex)) << 32;
  return Random(high | static_cast<std::uint32_t>(destination)).bits();
}

}  // namespace

ShortestRoutes::Distances ShortestRoutes::kept(HostId destination) const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || place_of_.empty()) return nullptr;
  const auto place = place_of_[index(destination)];
  if (place == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, place);
  return place->distances;
}

void ShortestRoutes::keep(HostId destination, const Distances& distances) const {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  place_of_.resize(index(graph_->num_hosts()), kept_.end());
  if (place_of_[index(destination)] != kept_.end()) return;
  kept_.push_front({destination, distances});
  place_of_[index(destination)] = kept_.begin();
  const std::size_t most = std::max<std::size_t>(max_bytes / (sizeof(int) * distances->size()), 4);
  if (kept_.size() <= most) return;
  place_of_[index(kept_.back().destination)] = kept_.end();
  kept_.pop_back();
}

ShortestRoutes::Distances ShortestRoutes::distances_to(HostId destination) const {
  if (Distances found = kept(destination)) return found;
  Distances distances =
      std::make_shared<const std::vector<int>>(graph_->distances_to(number(destination)));
  keep(destination, distances);
  return distances;
}

void ShortestRoutes::next_arcs(int vertex, int destination, const std::vector<int>& distances,
                               std::vector<Arc>& arcs) const {
  arcs.clear();
  const int next = distances[index(vertex)] - 1;
  for (const Arc& arc : graph_->out_arcs(vertex))
    if (distances[index(arc.to)] == next && (arc.to == destination || graph_->passes_on(arc.to)))
      arcs.push_back(arc);
}

int ShortestRoutes::distance(HostId source, HostId destination) const {
  return (*distances_to(destination))[index(source)];
}

void ShortestRoutes::append_route(HostId source, HostId destination,
                                  std::vector<LinkId>& links) const {
  const Distances distances = distances_to(destination);
  if ((*distances)[index(source)] == LinkGraph::unreachable) return;
  std::vector<Arc> arcs;
  for (int here = number(source); here != number(destination);) {
    next_arcs(here, number(destination), *distances, arcs);
    const Arc& arc = arcs[mixed(here, number(destination)) % arcs.size()];
    links.push_back(arc.link);
    here = arc.to;
  }
}

void ShortestRoutes::append_shares(HostId source, HostId destination,
                                   std::vector<LinkShare>& shares) const {
  const Distances distances = distances_to(destination);
  if ((*distances)[index(source)] == LinkGraph::unreachable) return;
  std::vector<Arc> arcs;
  // All vertices of a step are equally far from the destination: their shares are complete.
  std::map<int, double> here{{number(source), 1.0}}, there;
  for (; here.begin()->first != number(destination); here.swap(there)) {
    there.clear();
    for (const auto& [vertex, share] : here) {
      next_arcs(vertex, number(destination), *distances, arcs);
      const double part = share / static_cast<double>(arcs.size());
      for (const Arc& arc : arcs) {
        shares.push_back({arc.link, part});
        there[arc.to] += part;
      }
    }
  }
}

}  // namespace vtopo::detail

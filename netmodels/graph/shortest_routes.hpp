#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "netmodels/graph/link_graph.hpp"

namespace vtopo::detail {

/// Routes with the fewest links in a link graph, found per destination when first asked for.
///
/// Where several next links lead on with the fewest links, one route takes the k-th of the n in
/// order of link ids, k = hash(vertex, destination) modulo n: routes to one destination form a
/// tree, those to different destinations spread over the links. `append_shares` splits evenly over
/// all n instead (ECMP).
///
/// Distances to recently used destinations are kept, at most about 64 MiB. Safe to use from several
/// threads and, as no thread ever waits for another, in a child that was forked meanwhile.
class ShortestRoutes {
 public:
  explicit ShortestRoutes(std::shared_ptr<const LinkGraph> graph) : graph_(std::move(graph)) {}

  const LinkGraph& graph() const { return *graph_; }

  /// Links from host to host; `LinkGraph::unreachable` if there is no way.
  int distance(HostId source, HostId destination) const;

  /// Appends the links of the one route; nothing if there is no way. O(links at its vertices).
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const;

  /// Appends the links of all shortest routes, each once, nearest to the source first; nothing if
  /// there is no way.
  void append_shares(HostId source, HostId destination, std::vector<LinkShare>& shares) const;

 private:
  using Distances = std::shared_ptr<const std::vector<int>>;
  struct Kept {
    HostId destination{};
    Distances distances;
  };

  Distances distances_to(HostId destination) const;
  Distances kept(HostId destination) const;
  void keep(HostId destination, const Distances& distances) const;
  /// Next links from `vertex` on shortest paths, ascending.
  void next_arcs(int vertex, int destination, const std::vector<int>& distances,
                 std::vector<Arc>& arcs) const;

  std::shared_ptr<const LinkGraph> graph_;
  mutable std::mutex mutex_;
  mutable std::list<Kept> kept_;                             ///< most recently used first
  mutable std::vector<std::list<Kept>::iterator> place_of_;  ///< one entry per host once used
};

}  // namespace vtopo::detail

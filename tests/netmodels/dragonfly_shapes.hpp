#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "netmodels/models/dragonfly/dragonfly.hpp"

namespace vtopo::tests {

using namespace vtopo::detail;

/// SimGrid's numbers for "groups,1;chassis,1;blades,1;hosts", an arrangement and cables per pair.
inline DragonflySpec dragonfly(int groups, int chassis, int blades, int hosts,
                               GlobalArrangement arrangement = GlobalArrangement::simgrid,
                               int cables = 1, Routing rule = Routing::simgrid) {
  DragonflySpec spec;
  spec.groups = groups;
  spec.chassis = chassis;
  spec.blades = blades;
  spec.hosts_per_blade = hosts;
  spec.arrangement = arrangement;
  spec.cables_per_pair = cables;
  spec.routing.rule = rule;
  return spec;
}

inline constexpr GlobalArrangement arrangements[] = {
    GlobalArrangement::simgrid, GlobalArrangement::absolute, GlobalArrangement::relative,
    GlobalArrangement::circulant};

/// Small dragonflies of every kind: full, partly populated, more groups than routers, one of
/// anything, several cables, more cables than routers.
inline std::vector<DragonflySpec> many_dragonflies(Routing rule) {
  std::vector<DragonflySpec> specs;
  for (const GlobalArrangement arrangement : arrangements)
    for (const int cables : {1, 2, 3, 7})
      for (const auto& [groups, chassis, blades, hosts] : {std::tuple{9, 1, 4, 1},
                                                           {5, 2, 3, 2},
                                                           {4, 3, 2, 1},
                                                           {7, 1, 3, 1},
                                                           {6, 2, 2, 1},
                                                           {2, 3, 1, 1},
                                                           {3, 1, 1, 2},
                                                           {1, 3, 4, 1},
                                                           {3, 3, 4, 1}})
        specs.push_back(dragonfly(groups, chassis, blades, hosts, arrangement, cables, rule));
  return specs;
}

/// What the links of a dragonfly say about it, without the model's own arithmetic.
class DragonflyLinks {
 public:
  explicit DragonflyLinks(const Network& network)
      : leaving_(static_cast<std::size_t>(vertices(network))) {
    for (int l = 0; l < network.num_links(); ++l) {
      const LinkEnds ends = *network.link_ends(LinkId{l});
      leaving_[static_cast<std::size_t>(ends.from)].push_back(
          {LinkId{l}, ends.to, network.link_class(LinkId{l}) == 3});
      between_[{ends.from, ends.to}].push_back(LinkId{l});
    }
  }

  struct Leaving {
    LinkId link;
    int to;
    bool global;
  };

  const std::vector<Leaving>& leaving(int vertex) const {
    return leaving_[static_cast<std::size_t>(vertex)];
  }
  int num_vertices() const { return static_cast<int>(leaving_.size()); }

  /// Links from a vertex to another one, in the order of ids.
  std::vector<LinkId> between(int from, int to) const {
    const auto found = between_.find({from, to});
    return found == between_.end() ? std::vector<LinkId>{} : found->second;
  }

  /// Fewest links from every vertex to `target`, [vertex][global links allowed], breadth-first
  /// against the links; -1 where there is no way.
  std::vector<std::vector<int>> distances_to(int target, int max_global) const {
    std::vector<std::vector<int>> distance(leaving_.size(),
                                           std::vector<int>(std::size_t(max_global) + 1, -1));
    for (int budget = 0; budget <= max_global; ++budget)
      distance[std::size_t(target)][std::size_t(budget)] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t v = 0; v < leaving_.size(); ++v)
        for (const Leaving& next : leaving_[v])
          for (int budget = next.global ? 1 : 0; budget <= max_global; ++budget) {
            const int rest =
                distance[std::size_t(next.to)][std::size_t(budget - (next.global ? 1 : 0))];
            int& known = distance[v][std::size_t(budget)];
            if (rest < 0 || (known >= 0 && known <= rest + 1)) continue;
            known = rest + 1;
            changed = true;
          }
    }
    return distance;
  }

 private:
  static int vertices(const Network& network) {
    int last = network.num_hosts() - 1;
    for (int l = 0; l < network.num_links(); ++l)
      last = std::max(last, network.link_ends(LinkId{l})->from);
    return last + 1;
  }

  std::vector<std::vector<Leaving>> leaving_;
  std::map<std::pair<int, int>, std::vector<LinkId>> between_;
};

}  // namespace vtopo::tests

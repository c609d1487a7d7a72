#include "sim/evaluation/bounds/network_cuts.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/models/fat_tree/levels.hpp"
#include "sim/evaluation/bounds/torus_cuts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

constexpr int no_part = -1;

/// Parts of vertices; vertices of `no_part` are outside of all.
/// @param part_of vertex -> part
template <class PartOf>
CutFamily parts_family(std::string name, int parts, double hops, const Network& network,
                       const Allocation& allocation, PartOf part_of) {
  CutFamily family{std::move(name), std::vector<NetworkCut>(index(parts)), true, hops};
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place)
    family.cuts[index(part_of(number(allocation.hosts[place])))].slots += allocation.slots[place];
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return {};
    const int from = part_of(ends->from), to = part_of(ends->to);
    if (from == to) continue;
    for (const int part : {from, to})
      if (part != no_part)
        family.cuts[index(part)].capacity += cut_capacity(network.link(LinkId{l}));
  }
  return family;
}

/// A flow leaves the subtree of its source on every level below the peak, and enters as many: each
/// link is in the cut of one subtree.
std::vector<CutFamily> cuts_of(const FatTreeSpec& spec, const Network& network,
                               const Allocation& allocation) {
  const FatTreeLevels levels(spec);
  std::vector<CutFamily> families;
  for (int l = 0; l < levels.size(); ++l) {
    const int leaves = levels[l].leaves;
    if (leaves == levels.num_hosts()) break;
    const auto part_of = [&](int vertex) {
      const auto [level, position] = levels.place(vertex);
      if (level > l) return no_part;
      return level == 0 ? position / leaves
                        : position / levels[level].low_radix / (leaves / levels[level].leaves);
    };
    families.push_back(parts_family(l == 0   ? "hosts"
                                    : l == 1 ? "leaf switches"
                                             : "subtrees",
                                    levels.num_hosts() / leaves, 1, network, allocation, part_of));
  }
  return families;
}

/// A flow takes a link of each of its two hosts, and between routers a link that is in the cuts of
/// two routers.
std::vector<CutFamily> cuts_of(const DragonflySpec& spec, const Network& network,
                               const Allocation& allocation) {
  if (spec.routing.simgrid_compatible) return {};
  const DragonflyLayout layout(spec);
  const auto router_of = [&](int vertex) {
    return vertex < layout.num_hosts() ? layout.router_number(HostId{vertex})
                                       : vertex - layout.num_hosts();
  };
  const auto family = [&](std::string name, int parts, double hops, auto part_of) {
    return parts_family(std::move(name), parts, hops, network, allocation, part_of);
  };
  return {family("hosts", layout.num_hosts(), 1,
                 [&](int vertex) { return vertex < layout.num_hosts() ? vertex : no_part; }),
          family("routers", layout.num_routers(), 0.5, router_of),
          family("chassis", layout.num_routers() / spec.blades, 0,
                 [&](int vertex) { return router_of(vertex) / spec.blades; }),
          family("groups", layout.groups(), 0,
                 [&](int vertex) { return router_of(vertex) / layout.routers_per_group(); })};
}

std::vector<CutFamily> cuts_of(const TorusSpec& spec, const Network& network,
                               const Allocation& allocation) {
  auto families = torus_plane_cuts(spec, network, allocation);
  const int per_router = spec.hosts_per_router, hosts = network.num_hosts();
  if (per_router == 1 || families.empty()) return families;
  families.push_back(parts_family("hosts", hosts, 1, network, allocation,
                                  [&](int vertex) { return vertex < hosts ? vertex : no_part; }));
  families.push_back(parts_family(
      "routers", hosts / per_router, 0, network, allocation,
      [&](int vertex) { return vertex < hosts ? vertex / per_router : vertex - hosts; }));
  return families;
}

std::vector<CutFamily> cuts_of(std::monostate, const Network&, const Allocation&) {
  return {};
}

}  // namespace

std::vector<CutFamily> network_cuts(const Network& network, const Allocation& allocation) {
  auto families = std::visit([&](const auto& spec) { return cuts_of(spec, network, allocation); },
                             network.shape());
  std::erase_if(families, [](const CutFamily& family) { return family.cuts.size() < 1; });
  return families;
}

}  // namespace vtopo

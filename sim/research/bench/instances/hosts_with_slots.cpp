#include "sim/research/bench/instances/families.hpp"

namespace vtopo::detail::families {

namespace {

constexpr const char* strips = "stencil strips, best of all heights (Hunold et al., CLUSTER 2020)";
constexpr const char* kdtree = "k-d tree (Hunold et al., CLUSTER 2020)";

Instance slots_48(std::string name, std::string guest, std::string network, bool quick,
                  BestKnown best) {
  return {.name = std::move(name),
          .description = "grid onto hosts of 48 slots: edges that leave a host",
          .guest = std::move(guest),
          .network = std::move(network),
          .routing = Routing::simgrid,
          .slots = 48,
          .measure = find_measure("jsum"),
          .quick = quick,
          .best = std::move(best)};
}

}  // namespace

/// The grids of S. Hunold et al., "Efficient Process-to-Node Mapping Algorithms for Stencil
/// Computations" (CLUSTER 2020). Proof for 50x48 in one dimension: a column has 50 ranks, so each
/// of the 48 columns leaves a host at least once, which cuts two directed edges.
std::vector<Instance> hosts_with_slots() {
  const std::string hosts_50 = "fat-tree:1;50;1;1", hosts_100 = "fat-tree:1;100;1;1";
  return {slots_48("slots-50x48", "stencil:50x48:neumann", hosts_50, true,
                   {find_measure("jsum"), 1224, false, strips}),
          slots_48("slots-75x64", "stencil:75x64:neumann", hosts_100, false,
                   {find_measure("jsum"), 2580, false, strips}),
          slots_48("slots-50x48-component", "stencil:50x48:component", hosts_50, false,
                   {find_measure("jsum"), 96, true, "each column is longer than a host has slots"}),
          slots_48("slots-75x64-component", "stencil:75x64:component", hosts_100, false,
                   {find_measure("jsum"), 192, false, kdtree})};
}

}  // namespace vtopo::detail::families

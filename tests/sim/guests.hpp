#pragma once

#include <vector>

#include "topology/base/random.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

using namespace vtopo::detail;

/// Halo exchange of an open or periodic grid, one unit per directed edge.
inline CommGraph unit_grid(const std::vector<int>& sizes,
                           Periodicity periodicity = Periodicity::open) {
  std::vector<Dimension> dimensions;
  for (const int size : sizes) dimensions.push_back({size, periodicity});
  const Bytes unit[] = {Bytes{1}};
  return make_comm_graph(Cartesian(dimensions), unit);
}

/// Directed edges between random ranks with whole volumes from 0 to 9: asymmetric, with parallel
/// edges and self loops.
inline CommGraph drawn_graph(int num_ranks, int num_edges, std::uint64_t seed) {
  Random random(seed);
  const auto rank = [&] {
    return Rank{static_cast<int>(random.below(static_cast<std::uint64_t>(num_ranks)))};
  };
  std::vector<DirectedEdge> edges;
  for (int i = 0; i < num_edges; ++i) {
    const Rank source = rank();
    const Rank destination = rank();
    edges.push_back({source, destination, Bytes{static_cast<double>(random.below(10))}});
  }
  return CommGraph(num_ranks, edges);
}

}  // namespace vtopo

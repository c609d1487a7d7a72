#include "topology/mpi/communicator.hpp"

#include "topology/base/narrow.hpp"
#include "topology/mpi/typed_topology.hpp"

namespace vtopo {

using namespace detail;

namespace {

template <class Entry>
std::vector<Entry> copied(std::span<const Entry> list) {
  return {list.begin(), list.end()};
}

std::vector<Rank> ranks_of(std::span<const WeightedNeighbour> neighbours) {
  std::vector<Rank> ranks;
  ranks.reserve(neighbours.size());
  for (const auto& neighbour : neighbours) ranks.push_back(neighbour.rank);
  return ranks;
}

Weights weights_of(std::span<const WeightedNeighbour> neighbours, Weighting weighting) {
  if (weighting == Weighting::unweighted) return std::nullopt;
  std::vector<double> weights;
  weights.reserve(neighbours.size());
  for (const auto& neighbour : neighbours) weights.push_back(neighbour.weight);
  return weights;
}

}  // namespace

std::optional<TopologyKind> topo_test(const Communicator& communicator) {
  if (communicator.topology() == nullptr) return std::nullopt;
  return static_cast<TopologyKind>(communicator.topology()->index());
}

GraphDims graphdims_get(const Communicator& communicator) {
  const auto& graph = typed_topology<Graph>(communicator, "graphdims_get");
  return {graph.num_ranks(), graph.num_edges()};
}

GraphArrays graph_get(const Communicator& communicator, int maxindex, int maxedges) {
  const auto& graph = typed_topology<Graph>(communicator, "graph_get");
  const std::vector<int> index = graph.index();
  return {copied(cut_list(std::span(index), maxindex, "maxindex")),
          copied(cut_list(graph.edges(), maxedges, "maxedges"))};
}

int cartdim_get(const Communicator& communicator) {
  return int_size(typed_topology<Cartesian>(communicator, "cartdim_get").dimensions());
}

CartDescription cart_get(const Communicator& communicator, Rank caller, int maxdims) {
  const auto& grid = typed_topology<Cartesian>(communicator, "cart_get");
  const std::vector<int> coords = grid.coords(caller);
  return {copied(cut_list(grid.dimensions(), maxdims, "maxdims")),
          copied(cut_list(std::span(coords), maxdims, "maxdims"))};
}

Rank cart_rank(const Communicator& communicator, std::span<const int> coords) {
  const auto& grid = typed_topology<Cartesian>(communicator, "cart_rank");
  return grid.dimensions().empty() ? Rank{0} : grid.rank(coords);
}

std::vector<int> cart_coords(const Communicator& communicator, Rank rank, int maxdims) {
  const auto& grid = typed_topology<Cartesian>(communicator, "cart_coords");
  const std::vector<int> coords = grid.coords(rank);
  return copied(cut_list(std::span(coords), maxdims, "maxdims"));
}

ShiftRanks cart_shift(const Communicator& communicator, Rank caller, int direction, int disp) {
  return typed_topology<Cartesian>(communicator, "cart_shift").shift(caller, direction, disp);
}

int graph_neighbors_count(const Communicator& communicator, Rank rank) {
  return int_size(typed_topology<Graph>(communicator, "graph_neighbors_count").neighbours(rank));
}

std::vector<Rank> graph_neighbors(const Communicator& communicator, Rank rank, int maxneighbors) {
  const auto& graph = typed_topology<Graph>(communicator, "graph_neighbors");
  return copied(cut_list(graph.neighbours(rank), maxneighbors, "maxneighbors"));
}

DistGraphDegrees dist_graph_neighbors_count(const Communicator& communicator, Rank caller) {
  const auto& graph = typed_topology<DistGraph>(communicator, "dist_graph_neighbors_count");
  return {int_size(graph.sources(caller)), int_size(graph.destinations(caller)), graph.weighting()};
}

DistGraphNeighbors dist_graph_neighbors(const Communicator& communicator, Rank caller,
                                        int maxindegree, int maxoutdegree) {
  const auto& graph = typed_topology<DistGraph>(communicator, "dist_graph_neighbors");
  const auto sources = cut_list(graph.sources(caller), maxindegree, "maxindegree");
  const auto destinations = cut_list(graph.destinations(caller), maxoutdegree, "maxoutdegree");
  return {ranks_of(sources), weights_of(sources, graph.weighting()), ranks_of(destinations),
          weights_of(destinations, graph.weighting())};
}

}  // namespace vtopo

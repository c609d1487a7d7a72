#include "sim/mpi/decision/c_binding.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"
#include "topology/mpi/typed_topology.hpp"

namespace vtopo::detail::c {

namespace {

using enum TopologyCondition;

/// Array of the caller; may be null if it has no entry.
std::span<const int> checked_array(const int* array, std::int64_t size, std::string_view name) {
  if (size < 0) throw mpi_error<negative_count>(fmt::format("size of {}", name), size);
  if (size > 0 && array == nullptr) throw mpi_error<null_array>(name, size);
  return {array, index(size)};
}

std::vector<Rank> ranks_of(std::span<const int> numbers) {
  std::vector<Rank> ranks;
  ranks.reserve(numbers.size());
  for (const int number : numbers) ranks.push_back(Rank{number});
  return ranks;
}

Weights weights_of(WeightArray array, std::size_t size, std::string_view name) {
  if (!array) return std::nullopt;
  const auto weights = checked_array(*array, static_cast<std::int64_t>(size), name);
  for (const int weight : weights)
    if (weight < 0) throw mpi_error<negative_count>(fmt::format("weight in {}", name), weight);
  return std::vector<double>(weights.begin(), weights.end());
}

std::int64_t sum_of(std::span<const int> degrees) {
  std::int64_t sum = 0;
  for (const int degree : degrees) {
    if (degree < 0) throw mpi_error<negative_count>("degree", degree);
    sum += degree;
  }
  return sum;
}

}  // namespace

const Communicator& checked(Handle handle, std::string_view call) {
  if (handle == nullptr) throw mpi_error<null_communicator>(call);
  return *handle;
}

Cartesian grid_of(int ndims, const int* dims, const int* periods) {
  if (ndims < 0) throw mpi_error<negative_ndims>(ndims);
  const auto sizes = checked_array(dims, ndims, "dims");
  const auto wraps = checked_array(periods, ndims, "periods");
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    dimensions.push_back({sizes[d], Periodicity{wraps[d] != 0}});
  return Cartesian(std::move(dimensions));
}

Graph graph_of(int nnodes, const int* index, const int* edges) {
  if (nnodes < 0) throw mpi_error<negative_count>("nnodes", nnodes);
  const auto counts = checked_array(index, nnodes, "index");
  check_index(counts);
  const auto numbers = checked_array(edges, counts.empty() ? 0 : counts.back(), "edges");
  return Graph(counts, ranks_of(numbers));
}

std::vector<bool> remain_dims_of(Handle handle, const int* remain_dims) {
  const auto& grid = typed_topology<Cartesian>(checked(handle, "cart_sub"), "cart_sub");
  std::vector<bool> remain;
  for (const int flag : checked_array(remain_dims, int_size(grid.dimensions()), "remain_dims"))
    remain.push_back(flag != 0);
  return remain;
}

AdjacentEdges adjacent_edges_of(int indegree, const int* sources, WeightArray source_weights,
                                int outdegree, const int* destinations,
                                WeightArray destination_weights, Info info) {
  if (indegree < 0) throw mpi_error<negative_count>("indegree", indegree);
  if (outdegree < 0) throw mpi_error<negative_count>("outdegree", outdegree);
  const auto from = checked_array(sources, indegree, "sources");
  const auto to = checked_array(destinations, outdegree, "destinations");
  return {ranks_of(from), weights_of(source_weights, from.size(), "sourceweights"), ranks_of(to),
          weights_of(destination_weights, to.size(), "destweights"), std::move(info)};
}

EdgeContribution edge_contribution_of(int n, const int* sources, const int* degrees,
                                      const int* destinations, WeightArray weights, Info info) {
  if (n < 0) throw mpi_error<negative_count>("n", n);
  const auto from = checked_array(sources, n, "sources");
  const auto counts = checked_array(degrees, n, "degrees");
  const auto to = checked_array(destinations, sum_of(counts), "destinations");
  return {ranks_of(from),
          {counts.begin(), counts.end()},
          ranks_of(to),
          weights_of(weights, to.size(), "weights"),
          std::move(info)};
}

namespace {

using enum TopologyCondition;

int as_int(int value) {
  return value;
}
int as_int(Rank rank) {
  return number(rank);
}
int as_int(double weight) {
  if (weight > std::numeric_limits<int>::max() || weight != static_cast<int>(weight))
    throw mpi_error<weight_no_int>(weight);
  return static_cast<int>(weight);
}

/// Writes `value(entry)` of all of `list` to an array of the caller, which may be null if there is
/// nothing to write.
template <class List, class Value>
void write_each(const List& list, int* array, std::string_view name, Value value) {
  if (!list.empty() && array == nullptr) throw mpi_error<null_array>(name, list.size());
  for (std::size_t i = 0; i < list.size(); ++i) array[i] = value(list[i]);
}

template <class List>
void write_list(const List& list, int* array, std::string_view name) {
  write_each(list, array, name, [](const auto& entry) { return as_int(entry); });
}

void write_value(int value, int* target, std::string_view name) {
  write_list(std::span(&value, 1), target, name);
}

void write_ranks(std::span<const WeightedNeighbour> neighbours, int* array, std::string_view name) {
  write_each(neighbours, array, name, [](const auto& it) { return number(it.rank); });
}

void write_weights(std::span<const WeightedNeighbour> neighbours, Weighting weighting,
                   WeightBuffer array, std::string_view name) {
  if (weighting == Weighting::unweighted || !array) return;
  write_each(neighbours, *array, name, [](const auto& it) { return as_int(it.weight); });
}

}  // namespace

void graphdims_get(Handle comm, int* nnodes, int* nedges) {
  const auto [num_ranks, num_edges] = vtopo::graphdims_get(checked(comm, "graphdims_get"));
  write_value(num_ranks, nnodes, "nnodes");
  write_value(num_edges, nedges, "nedges");
}

void graph_get(Handle comm, int maxindex, int maxedges, int* index, int* edges) {
  const auto arrays = vtopo::graph_get(checked(comm, "graph_get"), maxindex, maxedges);
  write_list(arrays.index, index, "index");
  write_list(arrays.edges, edges, "edges");
}

void cartdim_get(Handle comm, int* ndims) {
  write_value(vtopo::cartdim_get(checked(comm, "cartdim_get")), ndims, "ndims");
}

void cart_get(Handle comm, Rank caller, int maxdims, int* dims, int* periods, int* coords) {
  const auto description = vtopo::cart_get(checked(comm, "cart_get"), caller, maxdims);
  std::vector<int> sizes;
  std::vector<int> wraps;
  for (const Dimension& dimension : description.dimensions) {
    sizes.push_back(dimension.size);
    wraps.push_back(dimension.periodic() ? 1 : 0);
  }
  write_list(sizes, dims, "dims");
  write_list(wraps, periods, "periods");
  write_list(description.coords, coords, "coords");
}

void cart_rank(Handle comm, const int* coords, int* rank) {
  const Communicator& grid = checked(comm, "cart_rank");
  const auto ndims = index(vtopo::cartdim_get(grid));
  if (ndims > 0 && coords == nullptr) throw mpi_error<null_array>("coords", ndims);
  write_value(number(vtopo::cart_rank(grid, {coords, ndims})), rank, "rank");
}

void cart_coords(Handle comm, int rank, int maxdims, int* coords) {
  const auto& grid = typed_topology<Cartesian>(checked(comm, "cart_coords"), "cart_coords");
  const std::size_t ndims = grid.dimensions().size();
  if (coords != nullptr && maxdims >= 0 && index(maxdims) >= ndims)
    grid.coords(Rank{rank}, {coords, ndims});  // without a copy
  else
    write_list(vtopo::cart_coords(*comm, Rank{rank}, maxdims), coords, "coords");
}

void cart_shift(Handle comm, Rank caller, int direction, int disp, int* rank_source, int* rank_dest,
                int proc_null) {
  const auto ranks = vtopo::cart_shift(checked(comm, "cart_shift"), caller, direction, disp);
  write_value(ranks.source ? number(*ranks.source) : proc_null, rank_source, "rank_source");
  write_value(ranks.destination ? number(*ranks.destination) : proc_null, rank_dest, "rank_dest");
}

void graph_neighbors_count(Handle comm, int rank, int* nneighbors) {
  const Communicator& graph = checked(comm, "graph_neighbors_count");
  write_value(vtopo::graph_neighbors_count(graph, Rank{rank}), nneighbors, "nneighbors");
}

void graph_neighbors(Handle comm, int rank, int maxneighbors, int* neighbors) {
  const Communicator& graph = checked(comm, "graph_neighbors");
  write_list(vtopo::graph_neighbors(graph, Rank{rank}, maxneighbors), neighbors, "neighbors");
}

void dist_graph_neighbors_count(Handle comm, Rank caller, int* indegree, int* outdegree,
                                int* weighted) {
  const Communicator& graph = checked(comm, "dist_graph_neighbors_count");
  const auto degrees = vtopo::dist_graph_neighbors_count(graph, caller);
  write_value(degrees.indegree, indegree, "indegree");
  write_value(degrees.outdegree, outdegree, "outdegree");
  write_value(degrees.weighting == Weighting::weighted ? 1 : 0, weighted, "weighted");
}

void dist_graph_neighbors(Handle comm, Rank caller, int maxindegree, int* sources,
                          WeightBuffer sourceweights, int maxoutdegree, int* destinations,
                          WeightBuffer destweights) {
  const auto& graph =
      typed_topology<DistGraph>(checked(comm, "dist_graph_neighbors"), "dist_graph_neighbors");
  const auto from = cut_list(graph.sources(caller), maxindegree, "maxindegree");
  const auto to = cut_list(graph.destinations(caller), maxoutdegree, "maxoutdegree");
  write_ranks(from, sources, "sources");
  write_weights(from, graph.weighting(), sourceweights, "sourceweights");
  write_ranks(to, destinations, "destinations");
  write_weights(to, graph.weighting(), destweights, "destweights");
}

}  // namespace vtopo::detail::c

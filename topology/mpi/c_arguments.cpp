#include "topology/mpi/c_arguments.hpp"

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

}  // namespace vtopo::detail::c

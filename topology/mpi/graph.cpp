#include "topology/mpi/graph.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::size_t max_graph_int = std::numeric_limits<std::int32_t>::max();

void check_counts(std::size_t num_ranks, std::size_t num_edges) {
  using enum TopologyCondition;
  if (num_ranks > max_graph_int) throw mpi_error<graph_above_int>(num_ranks, "ranks");
  if (num_edges > max_graph_int) throw mpi_error<graph_above_int>(num_edges, "edges");
}

void check_neighbours(const CompressedRows<Rank>& neighbours) {
  const auto num_ranks = narrow<int>(neighbours.num_rows());
  for (int r = 0; r < num_ranks; ++r)
    for (const Rank neighbour : neighbours.row(index(Rank{r})))
      if (number(neighbour) < 0 || number(neighbour) >= num_ranks)
        throw mpi_error<TopologyCondition::neighbour_outside>(number(neighbour), r, num_ranks - 1);
}

}  // namespace

void check_index(std::span<const int> index) {
  int before = 0;
  for (std::size_t r = 0; r < index.size(); ++r) {
    if (index[r] < before) throw mpi_error<TopologyCondition::index_descends>(index[r], r, before);
    before = index[r];
  }
}

Graph::Graph(const std::vector<std::vector<Rank>>& neighbours) {
  std::size_t num_edges = 0;
  for (const auto& list : neighbours) num_edges += list.size();
  check_counts(neighbours.size(), num_edges);
  neighbours_.reserve(neighbours.size(), num_edges);
  for (const auto& list : neighbours) {
    for (const Rank neighbour : list) neighbours_.push(neighbour);
    neighbours_.end_row();
  }
  check_neighbours(neighbours_);
}

Graph::Graph(std::span<const int> index, std::span<const Rank> edges) {
  check_counts(index.size(), edges.size());
  check_index(index);
  const int last = index.empty() ? 0 : index.back();
  if (static_cast<std::size_t>(last) != edges.size())
    throw mpi_error<TopologyCondition::index_and_edges>(last, edges.size());
  neighbours_.reserve(index.size(), edges.size());
  std::size_t next = 0;
  for (const int end : index) {
    while (next < static_cast<std::size_t>(end)) neighbours_.push(edges[next++]);
    neighbours_.end_row();
  }
  check_neighbours(neighbours_);
}

std::span<const Rank> Graph::neighbours(Rank rank) const {
  if (number(rank) < 0 || number(rank) >= num_ranks())
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), num_ranks() - 1);
  return neighbours_.row(vtopo::index(rank));
}

std::vector<int> Graph::index() const {
  std::vector<int> result;
  result.reserve(neighbours_.num_rows());
  int total = 0;
  for (std::size_t r = 0; r < neighbours_.num_rows(); ++r)
    result.push_back(total += int_size(neighbours_.row(r)));
  return result;
}

}  // namespace vtopo

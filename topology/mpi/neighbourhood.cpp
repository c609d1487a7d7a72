#include "topology/mpi/virtual_topology.hpp"

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Calls `visit(neighbour, dimension)` for each neighbour of the rank at `coords`, in the order of
/// MPI: the one place that knows it.
template <class Visitor>
void visit_neighbours(const Cartesian& grid, Rank rank, std::span<const int> coords,
                      Visitor&& visit) {
  const auto dimensions = grid.dimensions();
  const auto strides = grid.strides();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const int around = (dimensions[d].size - 1) * strides[d];
    const bool periodic = dimensions[d].periodic();
    std::optional<Rank> negative;
    std::optional<Rank> positive;
    if (coords[d] > 0)
      negative = Rank{number(rank) - strides[d]};
    else if (periodic)
      negative = Rank{number(rank) + around};
    if (coords[d] + 1 < dimensions[d].size)
      positive = Rank{number(rank) + strides[d]};
    else if (periodic)
      positive = Rank{number(rank) - around};
    visit(negative, d);
    visit(positive, d);
  }
}

template <class Visitor>
void visit_neighbours(const Graph& graph, Rank rank, Visitor&& visit) {
  for (const Rank neighbour : graph.neighbours(rank)) visit(neighbour, 1.0);
}

template <class Visitor>
void visit_destinations(const DistGraph& graph, Rank rank, Visitor&& visit) {
  for (const auto& [neighbour, weight] : graph.destinations(rank)) visit(neighbour, weight);
}

/// Moves coordinates on to the next rank: the last dimension is the fastest.
void step_to_next_rank(std::span<int> coords, std::span<const Dimension> dimensions) {
  for (std::size_t d = coords.size(); d-- > 0;) {
    if (++coords[d] < dimensions[d].size) return;
    coords[d] = 0;
  }
}

/// Number of directed edges of a grid: in an open dimension one per direction is missing on each
/// line.
std::size_t num_edges(const Cartesian& grid) {
  std::size_t edges = 0;
  for (const Dimension& dimension : grid.dimensions()) {
    const int missing = dimension.periodic() ? 0 : grid.num_ranks() / dimension.size;
    edges += 2 * index(grid.num_ranks() - missing);
  }
  return edges;
}

}  // namespace

Neighbourhood neighbourhood(const Cartesian& grid, Rank rank) {
  std::vector<std::optional<Rank>> around;
  const auto coords = grid.coords(rank);
  visit_neighbours(grid, rank, coords, [&](std::optional<Rank> neighbour, std::size_t) {
    around.push_back(neighbour);
  });
  return {around, around};
}

Neighbourhood neighbourhood(const Graph& graph, Rank rank) {
  std::vector<std::optional<Rank>> around;
  visit_neighbours(graph, rank, [&](Rank neighbour, double) { around.emplace_back(neighbour); });
  return {around, around};
}

Neighbourhood neighbourhood(const DistGraph& graph, Rank rank) {
  Neighbourhood result;
  for (const auto& source : graph.sources(rank)) result.sources.emplace_back(source.rank);
  visit_destinations(graph, rank,
                     [&](Rank neighbour, double) { result.destinations.emplace_back(neighbour); });
  return result;
}

CommGraph make_comm_graph(const Cartesian& grid, std::span<const Bytes> volume) {
  const auto dimensions = grid.dimensions();
  if (volume.size() != 1 && volume.size() != dimensions.size())
    throw mpi_error<TopologyCondition::number_of_volumes>(volume.size(), dimensions.size(),
                                                          dimensions.size());
  CompressedRows<CommEdge> rows;
  rows.reserve(index(grid.num_ranks()), num_edges(grid));
  std::vector<int> coords(dimensions.size(), 0);
  for (int r = 0; r < grid.num_ranks(); ++r) {
    visit_neighbours(grid, Rank{r}, coords, [&](std::optional<Rank> neighbour, std::size_t d) {
      if (neighbour) rows.push({volume[volume.size() == 1 ? 0 : d], *neighbour});
    });
    rows.end_row();
    step_to_next_rank(coords, dimensions);
  }
  return CommGraph(std::move(rows));
}

CommGraph make_comm_graph(const Graph& graph, Bytes volume) {
  CompressedRows<CommEdge> rows;
  rows.reserve(index(graph.num_ranks()), index(graph.num_edges()));
  for (int r = 0; r < graph.num_ranks(); ++r) {
    visit_neighbours(graph, Rank{r}, [&](Rank neighbour, double) {
      rows.push({volume, neighbour});
    });
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

CommGraph make_comm_graph(const DistGraph& graph, Bytes volume) {
  CompressedRows<CommEdge> rows;
  rows.reserve(index(graph.num_ranks()), graph.num_edges());
  for (int r = 0; r < graph.num_ranks(); ++r) {
    visit_destinations(graph, Rank{r}, [&](Rank neighbour, double weight) {
      rows.push({volume * weight, neighbour});
    });
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

}  // namespace vtopo

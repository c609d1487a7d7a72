#include "topology/neighbourhood.hpp"

#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

std::vector<std::optional<Rank>> neighbours(const Cartesian& grid, Rank rank) {
  std::vector<std::optional<Rank>> result;
  result.reserve(2 * grid.dimensions().size());
  for (int d = 0; d < int_size(grid.dimensions()); ++d) {
    const auto [negative, positive] = grid.shift(rank, d, 1);
    result.push_back(negative);
    result.push_back(positive);
  }
  return result;
}

CommGraph make_comm_graph(const Cartesian& grid, std::span<const Bytes> volume) {
  const std::size_t dimensions = grid.dimensions().size();
  if (volume.size() != 1 && volume.size() != dimensions)
    throw UsageError(fmt::format("{} volumes for a {}-dimensional grid: accepted are 1 or {}",
                                 volume.size(), dimensions, dimensions));
  std::vector<DirectedEdge> edges;
  edges.reserve(2 * dimensions * static_cast<std::size_t>(grid.num_ranks()));
  for (int r = 0; r < grid.num_ranks(); ++r) {
    const auto around = neighbours(grid, Rank{r});
    for (std::size_t i = 0; i < around.size(); ++i)
      if (around[i]) edges.push_back({Rank{r}, *around[i], volume[volume.size() == 1 ? 0 : i / 2]});
  }
  return CommGraph(grid.num_ranks(), edges);
}

CommGraph make_comm_graph(const Graph& graph, Bytes volume) {
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < graph.num_ranks(); ++r)
    for (const Rank neighbour : graph.neighbours(Rank{r}))
      edges.push_back({Rank{r}, neighbour, volume});
  return CommGraph(graph.num_ranks(), edges);
}

CommGraph make_comm_graph(const DistGraph& graph, Bytes volume) {
  std::vector<DirectedEdge> edges;
  edges.reserve(graph.edges().size());
  for (const auto& [source, destination, weight] : graph.edges())
    edges.push_back({source, destination, volume * weight});
  return CommGraph(graph.num_ranks(), edges);
}

}  // namespace vtopo

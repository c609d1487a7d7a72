#include "sim/mapping/partition/weighted_graph.hpp"

namespace vtopo::detail {

WeightedGraph guest_graph(const Partners& partners) {
  WeightedGraph graph;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r}))
      graph.arcs.push_back({number(partner.rank), partner.both().value});
    graph.close_vertex(1);
  }
  return graph;
}

WeightedGraph induced_graph(const WeightedGraph& graph, std::span<const int> vertices,
                            std::vector<int>& local) {
  WeightedGraph part;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    local[static_cast<std::size_t>(vertices[i])] = static_cast<int>(i);
  for (const int vertex : vertices) {
    for (const WeightedArc& arc : graph.of(vertex))
      if (const int target = local[static_cast<std::size_t>(arc.target)]; target >= 0)
        part.arcs.push_back({target, arc.weight});
    part.close_vertex(graph.weights[static_cast<std::size_t>(vertex)]);
  }
  for (const int vertex : vertices) local[static_cast<std::size_t>(vertex)] = -1;
  return part;
}

WeightedGraph contracted_graph(const WeightedGraph& graph, std::span<const int> coarse_of,
                               int num_coarse) {
  std::vector<std::vector<int>> members(static_cast<std::size_t>(num_coarse));
  for (int v = 0; v < graph.num_vertices(); ++v)
    members[static_cast<std::size_t>(coarse_of[static_cast<std::size_t>(v)])].push_back(v);
  WeightedGraph coarse;
  std::vector<std::ptrdiff_t> arc_to(static_cast<std::size_t>(num_coarse), -1);
  for (int c = 0; c < num_coarse; ++c) {
    const auto first = static_cast<std::ptrdiff_t>(coarse.arcs.size());
    int weight = 0;
    for (const int v : members[static_cast<std::size_t>(c)]) {
      weight += graph.weights[static_cast<std::size_t>(v)];
      for (const WeightedArc& arc : graph.of(v)) {
        const int target = coarse_of[static_cast<std::size_t>(arc.target)];
        if (target == c) continue;
        std::ptrdiff_t& at = arc_to[static_cast<std::size_t>(target)];
        if (at < first) {
          at = static_cast<std::ptrdiff_t>(coarse.arcs.size());
          coarse.arcs.push_back({target, 0});
        }
        coarse.arcs[static_cast<std::size_t>(at)].weight += arc.weight;
      }
    }
    coarse.close_vertex(weight);
  }
  return coarse;
}

}  // namespace vtopo::detail

#include "topology/comm_graph.hpp"

#include <cmath>

#include "topology/error.hpp"

namespace vtopo {

namespace {

void check_rank(Rank rank, int num_ranks) {
  if (number(rank) < 0 || number(rank) >= num_ranks)
    throw InputError(fmt::format("rank {} is outside 0..{}", number(rank), num_ranks - 1));
}

void check_edge(const DirectedEdge& edge, int num_ranks) {
  check_rank(edge.source, num_ranks);
  check_rank(edge.destination, num_ranks);
  if (!(edge.volume >= Bytes{} && edge.volume <= max_volume))
    throw InputError(fmt::format("volume {} of edge {} -> {} is outside 0..{} bytes",
                                 edge.volume.value, number(edge.source), number(edge.destination),
                                 max_volume.value));
}

}  // namespace

CommGraph::CommGraph(int num_ranks) : offsets_(static_cast<std::size_t>(num_ranks) + 1, 0) {}

CommGraph::CommGraph(int num_ranks, std::span<const DirectedEdge> edges) : CommGraph(num_ranks) {
  for (const auto& edge : edges) {
    check_edge(edge, num_ranks);
    ++offsets_[index(edge.source) + 1];
  }
  for (std::size_t r = 1; r < offsets_.size(); ++r) offsets_[r] += offsets_[r - 1];
  edges_.resize(edges.size());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& edge : edges)
    edges_[next[index(edge.source)]++] = {edge.volume, edge.destination, edge.messages};
}

Bytes CommGraph::total_volume() const {
  Bytes total;
  for (const auto& edge : edges_) total += edge.volume;
  return total;
}

CommGraph per_message(const CommGraph& graph) {
  std::vector<DirectedEdge> edges;
  edges.reserve(graph.num_edges());
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    const double messages = edge.messages > 0 ? edge.messages : 1;
    edges.push_back({source, edge.destination, {edge.volume.value / messages}, edge.messages});
  });
  return CommGraph(graph.num_ranks(), edges);
}

}  // namespace vtopo

#include "topology/mpi/dist_graph.hpp"

#include <utility>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/dist_graph_checks.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

using Rows = CompressedRows<WeightedNeighbour>;

Rows sources_of(std::size_t num_ranks, std::span<const WeightedEdge> edges) {
  return Rows::sorted(
      num_ranks, edges, [](const WeightedEdge& edge) { return index(edge.destination); },
      [](const WeightedEdge& edge) {
        return WeightedNeighbour{edge.source, edge.weight};
      });
}

Rows destinations_of(std::size_t num_ranks, std::span<const WeightedEdge> edges) {
  return Rows::sorted(
      num_ranks, edges, [](const WeightedEdge& edge) { return index(edge.source); },
      [](const WeightedEdge& edge) {
        return WeightedNeighbour{edge.destination, edge.weight};
      });
}

/// One row: ranks with their weights, 1 where there are none.
void push_row(Rows& rows, std::span<const Rank> ranks, const Weights& weights) {
  for (std::size_t i = 0; i < ranks.size(); ++i) rows.push({ranks[i], weights ? (*weights)[i] : 1});
  rows.end_row();
}

/// The edges that all ranks together give, in the order of the ranks that give them.
std::vector<WeightedEdge> joined(std::span<const EdgeContribution> by_rank) {
  std::vector<WeightedEdge> edges;
  for (const auto& [sources, degrees, destinations, weights, info] : by_rank) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (int k = 0; k < degrees[i]; ++k, ++next)
        edges.push_back({sources[i], destinations[next], weights ? (*weights)[next] : 1});
  }
  return edges;
}

void check_rank(Rank rank, int num_ranks) {
  if (number(rank) < 0 || number(rank) >= num_ranks)
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), num_ranks - 1);
}

}  // namespace

DistGraph::DistGraph(int num_ranks, std::span<const WeightedEdge> edges, Weighting weighting,
                     Info info)
    : weighting_(weighting), info_(std::move(info)) {
  check_edges(num_ranks, edges);
  const auto rows = index(num_ranks);
  sources_ = sources_of(rows, edges);
  destinations_ = destinations_of(rows, edges);
}

DistGraph::DistGraph(std::span<const AdjacentEdges> by_rank)
    : weighting_(check_adjacent(by_rank)), info_(by_rank.empty() ? Info{} : by_rank[0].info) {
  for (const AdjacentEdges& given : by_rank) {
    push_row(sources_, given.sources, given.source_weights);
    push_row(destinations_, given.destinations, given.destination_weights);
  }
}

DistGraph::DistGraph(std::span<const EdgeContribution> by_rank)
    : weighting_(check_contributions(by_rank)), info_(by_rank.empty() ? Info{} : by_rank[0].info) {
  const auto edges = joined(by_rank);
  check_edges(narrow<int>(by_rank.size()), edges);
  sources_ = sources_of(by_rank.size(), edges);
  destinations_ = destinations_of(by_rank.size(), edges);
}

std::span<const WeightedNeighbour> DistGraph::sources(Rank rank) const {
  check_rank(rank, num_ranks());
  return sources_.row(index(rank));
}

std::span<const WeightedNeighbour> DistGraph::destinations(Rank rank) const {
  check_rank(rank, num_ranks());
  return destinations_.row(index(rank));
}

}  // namespace vtopo

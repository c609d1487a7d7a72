#include "topology/comm_graph.hpp"

#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace detail;

namespace {

void check_rank(Rank rank, int num_ranks) {
  if (number(rank) < 0 || number(rank) >= num_ranks)
    throw InputError(fmt::format("rank {} is outside 0..{}", number(rank), num_ranks - 1));
}

void check_edge(Rank source, Rank destination, Bytes volume, int num_ranks) {
  check_rank(source, num_ranks);
  check_rank(destination, num_ranks);
  if (!(volume >= Bytes{} && volume <= max_volume))
    throw InputError(fmt::format("volume {} of edge {} -> {} is outside 0..{} bytes", volume.value,
                                 number(source), number(destination), max_volume.value));
}

}  // namespace

CommGraph::CommGraph(int num_ranks) : CommGraph(num_ranks, {}) {}

CommGraph::CommGraph(int num_ranks, std::span<const DirectedEdge> edges) {
  if (num_ranks < 0)
    throw InputError(fmt::format("a graph of {} ranks: accepted are 0 or more", num_ranks));
  for (const auto& edge : edges) check_edge(edge.source, edge.destination, edge.volume, num_ranks);
  rows_ = CompressedRows<CommEdge>::sorted(
      index(num_ranks), edges, [](const DirectedEdge& edge) { return index(edge.source); },
      [](const DirectedEdge& edge) {
        return CommEdge{edge.volume, edge.destination, edge.messages};
      });
}

CommGraph::CommGraph(CompressedRows<CommEdge> rows) : rows_(std::move(rows)) {
  const int ranks = narrow<int>(rows_.num_rows());
  for (int r = 0; r < ranks; ++r)
    for (const CommEdge& edge : out_edges(Rank{r}))
      check_edge(Rank{r}, edge.destination, edge.volume, ranks);
}

Bytes CommGraph::total_volume() const {
  Bytes total;
  for (const CommEdge& edge : rows_.entries()) total += edge.volume;
  return total;
}

CommGraph per_message(const CommGraph& graph) {
  CompressedRows<CommEdge> rows;
  rows.reserve(index(graph.num_ranks()), graph.num_edges());
  for (int r = 0; r < graph.num_ranks(); ++r) {
    for (const CommEdge& edge : graph.out_edges(Rank{r})) {
      const double messages = edge.messages > 0 ? edge.messages : 1;
      rows.push({{edge.volume.value / messages}, edge.destination, edge.messages});
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

}  // namespace vtopo

#pragma once

#include <cstddef>
#include <span>

#include "topology/base/compressed_rows.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// Guest edge as seen from its source.
struct CommEdge {
  Bytes volume;        ///< of all its messages together
  Rank destination{};  ///< rank that receives
  int messages = 1;    ///< that share the volume equally
};

/// Guest edge with both ends, the form in which readers and topologies deliver it.
struct DirectedEdge {
  Rank source{};       ///< rank that sends
  Rank destination{};  ///< rank that receives
  Bytes volume;        ///< of all its messages together
  int messages = 1;    ///< that share the volume equally
};

/// Communication graph: who sends how much to whom. A directed multigraph in compressed rows that
/// keeps parallel edges, self loops and, per source, the order in which edges were given.
class CommGraph {
 public:
  /// Graph of `num_ranks` ranks without edges.
  /// @throws InputError if the number is negative.
  explicit CommGraph(int num_ranks = 0);

  /// Graph with the given edges.
  /// @throws InputError if the number or a volume is negative, a rank is outside [0, num_ranks), or
  /// a volume is not finite.
  CommGraph(int num_ranks, std::span<const DirectedEdge> edges);

  /// Graph with the edges of each rank in its row, for large graphs: nothing is copied.
  /// @throws InputError as above.
  explicit CommGraph(CompressedRows<CommEdge> rows);

  /// Number of ranks, those without edges included.
  int num_ranks() const { return static_cast<int>(rows_.num_rows()); }
  /// Number of directed edges; each of several parallel ones counts.
  std::size_t num_edges() const { return rows_.num_entries(); }

  /// Edges that leave `source`, in the order given.
  std::span<const CommEdge> out_edges(Rank source) const { return rows_.row(index(source)); }

  /// Sum of volumes over all directed edges, self loops included.
  Bytes total_volume() const;

  /// Calls `visit(source, edge)` for every edge, sources ascending.
  template <class Visitor>
  void for_each_edge(Visitor&& visit) const {
    for (int r = 0; r < num_ranks(); ++r)
      for (const CommEdge& edge : out_edges(Rank{r})) visit(Rank{r}, edge);
  }

 private:
  CompressedRows<CommEdge> rows_;
};

/// The same graph with each volume divided by its number of messages (what one message carries).
CommGraph per_message(const CommGraph& graph);

/// Whether anything is sent over an edge. Messages without a volume are sent: they take their
/// latency and load nothing. An edge with neither volume nor messages is only a neighbour.
constexpr bool is_sent(const CommEdge& edge) {
  return edge.volume.value > 0 || edge.messages > 0;
}

}  // namespace vtopo

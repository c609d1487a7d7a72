#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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

/// Messages that start together, and how often the same ones follow each other.
struct SchedulePhase {
  std::string name;          ///< human-readable
  CommGraph traffic;         ///< of one step
  std::int64_t repeat = 1;   ///< steps, >= 1, one after the other
  bool combines = false;     ///< whether what arrives is reduced into what the receiver has
  bool sends_empty = false;  ///< whether edges without a volume are messages too, as of a barrier
  /// Which of the sequences of phases that run at the same time inside its stage.
  int lane = 0;
  int stage = 0;    ///< never less than that of the phase before
  Bytes copied{0};  ///< by each rank inside its memory, before its messages
};

/// What ranks send: at least one phase, all of the same number of ranks. Phases of one lane follow
/// each other. All lanes of a stage start when the stage before is over.
struct Schedule {
  std::vector<SchedulePhase> phases;  ///< in the order of time, inside a stage lane after lane
  /// Whether a step starts when the one before has ended on every rank; else on each rank when its
  /// own messages of it have.
  bool barriers = false;

  /// Lanes of the stage that has the most.
  int num_lanes() const;
};

/// Puts phases one after the other, or at the same time as others that have a name.
class ScheduleBuilder {
 public:
  /// Adds phases that follow each other.
  /// @param name by which others may refer to them; empty: none.
  /// @param with name of phases added before (the last ones of that name), at the same time as
  /// which they run; empty: after all.
  /// @throws UsageError for a name that nothing has.
  void add(std::vector<SchedulePhase> phases, const std::string& name, const std::string& with);

  /// All that was added.
  Schedule schedule() &&;

 private:
  struct Named {
    std::string name;
    int stage;
  };

  std::vector<Named> names_;
  std::vector<int> lanes_;  ///< of each stage
  Schedule schedule_;
};

/// Everything that the schedule sends, as if at once: volumes and numbers of messages summed over
/// phases and steps, one edge from a rank to another, in the order in which a rank first sends to
/// them. A schedule of one step is its traffic as it is.
CommGraph aggregated(const Schedule& schedule);

}  // namespace vtopo

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/comm_graph.hpp"

namespace vtopo {

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

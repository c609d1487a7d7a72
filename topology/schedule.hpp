#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/comm_graph.hpp"

namespace vtopo {

/// Messages that start together, and how often the same ones follow each other.
struct SchedulePhase {
  std::string name;         ///< for people
  CommGraph traffic;        ///< of one step
  std::int64_t repeat = 1;  ///< steps, >= 1; each starts when the one before has ended everywhere
};

/// What ranks send one after the other: at least one phase, all of the same number of ranks. A
/// phase starts when the one before has ended on every rank.
struct Schedule {
  std::vector<SchedulePhase> phases;  ///< in the order of time
};

/// Everything that the schedule sends, as if at once: volumes and numbers of messages summed over
/// phases and steps, one edge from a rank to another, in the order in which a rank first sends to
/// them. A schedule of one step is its traffic as it is.
CommGraph aggregated(const Schedule& schedule);

}  // namespace vtopo

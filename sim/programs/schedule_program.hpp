#pragma once

#include "sim/programs/program.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// When a step of a schedule starts.
enum class StepStart {
  by_rank,   ///< on each rank when its own messages of the step before are over
  together,  ///< when the step before has ended on every rank
};

/// A schedule as a program: in each step of a phase a rank starts all its messages and waits for
/// them. Phases that repeat become loops. Edges without a volume send nothing.
Program program_of(const Schedule& schedule, StepStart start);

}  // namespace vtopo

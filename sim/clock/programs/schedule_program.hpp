#pragma once

#include <span>

#include "sim/clock/programs/program.hpp"
#include "topology/comm_graph.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// When a step of a schedule starts.
enum class StepStart {
  by_rank,   ///< on each rank when its own messages of the step before are over
  together,  ///< when the step before has ended on every rank
};

/// A schedule as a program: in each step of a phase a rank starts all its messages, receives first,
/// waits for them, and reduces what arrived if the phase combines. Phases that repeat become loops.
/// Edges without a volume send nothing, but in phases where they are messages.
///
/// Lane l of rank r is rank l * P + r of the program, with P ranks in the schedule: lanes of a
/// stage start when lane 0 comes to the stage, and lane 0 goes on when they are over. Rank r passes
/// mark 2 p where phase p begins for it, if it sends, and 2 p + 1 where it ends, if it takes part.
Program program_of(const Schedule& schedule, StepStart start);

/// The program beside traffic that starts at time 0: ranks of `others` follow its own.
Program beside(Program program, const CommGraph& others);

/// Adds what the ranks of a communicator do in a collective operation: rounds are loops, and steps
/// that combine reduce the bytes that arrive.
/// @param volume that the caller of the collective names; a slot is a share of it.
/// @param members rank in the program of each rank of the communicator.
/// @param communicator of the messages.
void append(Program& program, const CommunicationSteps& steps, Bytes volume,
            std::span<const Rank> members, std::int32_t communicator = 0);

/// The same as a program of its own.
/// @param num_ranks of the program.
Program program_of(const CommunicationSteps& steps, Bytes volume, std::span<const Rank> members,
                   int num_ranks);

}  // namespace vtopo::detail

#pragma once

#include "sim/clock/program_times.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"

namespace vtopo::detail {

/// What `simulate_program` computes without costs of endpoints, by SimGrid: the operations of each
/// rank as a function of `run_ranks`. Slower by orders of magnitude; a second opinion.
/// @throws what `check_program` and `run_ranks` throw.
ProgramTimes run_program(const Program& program, const Network& network, const Embedding& embedding,
                         const RankOptions& options = {});

}  // namespace vtopo::detail

#pragma once

#include "sim/mapping/portfolio_pool.hpp"

namespace vtopo {

/// Spends the steps, or the time until the deadline, of the problem on the best candidates: first
/// the few best are brought to a local optimum by exchanges, then every refiner of use goes on with
/// the best of them, at last exchanges polish the very best. What is found joins the pool.
void refine_best(const MappingProblem& problem, CandidatePool& pool);

/// Tries changes of the best embedding under the clock of the simulator and keeps those that
/// shorten the simulated time: as many tries as `steps` says, or until the deadline, or a few.
void shorten_simulated_time(const MappingProblem& problem, CandidatePool& pool);

}  // namespace vtopo

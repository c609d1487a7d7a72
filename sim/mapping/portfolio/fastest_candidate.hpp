#pragma once

#include "sim/mapping/portfolio/portfolio_pool.hpp"

namespace vtopo::detail {

/// The candidate that takes the least time; at a tie, of rounding, that of the fewest hop-bytes.
/// Candidates that the bound of the time rules out are not simulated; the first in the pool and
/// `control.start`, if it is there, always are. With `refine` what remains of the simulations is
/// spent on changes of the best one; where placements are few, all that may be better are
/// simulated. Without a deadline they may take a share of a usual portfolio, by their `work`.
/// @param control with a simulator.
Candidate fastest_candidate(const MappingProblem& problem, const SearchControl& control,
                            const CandidatePool& pool, bool refine);

}  // namespace vtopo::detail

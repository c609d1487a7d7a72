#pragma once

#include "sim/mapping/portfolio/portfolio_pool.hpp"

namespace vtopo::detail {

/// Spends the steps, or the time until the deadline, on the best candidates. Under
/// hop-bytes, on networks that `anneal_hops` knows, by annealing; where the largest congestion
/// comes first by the refiner of congestion; else by exchanges and then every refiner of use. What
/// is found joins the pool.
/// @param member_seconds that members took by their estimates: if `control` has neither steps nor
/// a deadline, what they leave of a usual time is spent.
void refine_best(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool,
                 double member_seconds);

/// The same where time comes first, which no refiner knows: a part of the steps lowers hop-bytes,
/// from what is best by them, the others the objective of the pool. With a deadline some time is
/// left for the simulator.
/// @param problem with the static part of its objective.
void refine_for_time(const MappingProblem& problem, const SearchControl& control,
                     CandidatePool& pool, double member_seconds);

/// The candidate that takes the least time; at a tie, of rounding, that of the fewest hop-bytes.
/// Candidates that the bound of the time rules out are not simulated; the first in the pool and
/// `control.start`, if it is there, always are. With `refine` what remains of the simulations is
/// spent on changes of the best one; where placements are few, all that may be better are
/// simulated. Without a deadline they may take a share of a usual portfolio, by their `work`.
/// @param control with a simulator.
Candidate fastest_candidate(const MappingProblem& problem, const SearchControl& control,
                            const CandidatePool& pool, bool refine);

}  // namespace vtopo::detail

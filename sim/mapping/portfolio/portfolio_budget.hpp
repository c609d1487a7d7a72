#pragma once

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// How a portfolio refines what its members find.
enum class PortfolioRefinement {
  hops,        ///< annealing that reads hops off host numbers
  congestion,  ///< the largest congestion comes first: the mapper `congestion`
  general      ///< every refiner, under the objective itself
};

PortfolioRefinement portfolio_refinement(const MappingProblem& problem);

/// Whether a portfolio anneals hops, until a deadline before it relieves the busiest links.
bool anneals_hops_first(const MappingProblem& problem);

/// Processor time of a portfolio if neither steps nor a time are given, in seconds: 1.5 s up to
/// 4,096 ranks, two minutes for 262,144, and less for a few ranks. Where time comes first, about
/// twice as much.
double portfolio_seconds(const MappingProblem& problem);

/// Share of it that members may take together.
constexpr double member_share = 0.5;

/// What a mapper says of its work on such a network.
WorkEstimate work_of(const MapperInfo& info, const MappingProblem& problem);

/// About what a mapper takes, in seconds of processor time; depends on the problem alone.
double seconds_of_mapper(const MapperInfo& info, const MappingProblem& problem);

/// About what a step of a refiner takes, in seconds of processor time.
double seconds_per_step(const MappingProblem& problem);

/// Whether a few ranks have many of the edges, as in power-law graphs: the rank at the end of an
/// edge has more than twice the edges of a rank, in the mean. Such graphs have no small cuts.
bool has_hubs(const CommGraph& guest);

/// Edges of a rank in the mean: more take longer.
double edges_per_rank(const MappingProblem& problem);

}  // namespace vtopo::detail

#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// Above so many ranks a portfolio without a time looks at less: members make less effort, fewer
/// candidates are refined, and what has gained nothing for a while ends.
constexpr int many_ranks = 8192;

/// Whether a portfolio ends where it gains nothing more: above `many_ranks`, unless the user says
/// how long it searches.
bool ends_early(const MappingProblem& problem, const SearchControl& control);

/// Processor time of a portfolio if neither steps nor a time are given, in seconds: 1.5 s up to
/// 4,096 ranks, two minutes for 262,144, and less for a few ranks, or where it ends early. Where
/// time comes first, about twice as much.
double portfolio_seconds(const MappingProblem& problem);

/// Share of it that members may take together.
constexpr double member_share = 0.5;
constexpr double quick_member_share = 0.05;  ///< the same with members=quick

/// What a mapper says of its work on such a network.
WorkEstimate work_of(const MapperInfo& info, const MappingProblem& problem);

/// About what a mapper takes, in seconds of processor time; depends on the problem alone.
double seconds_of_mapper(const MapperInfo& info, const MappingProblem& problem);

/// Whether a member makes less effort: where it ends early, or the deadline is close.
bool makes_less_effort(const MapperInfo& info, const MappingProblem& problem,
                       const SearchControl& control);

/// About what a step of a refiner takes, in seconds of processor time.
double seconds_per_step(const MappingProblem& problem);

/// Whether a few ranks have many of the edges, as in power-law graphs: the rank at the end of an
/// edge has more than twice the edges of a rank, in the mean. Such graphs have no small cuts.
bool has_hubs(const CommGraph& guest);

/// Edges of a rank in the mean: more take longer.
double edges_per_rank(const MappingProblem& problem);

/// Mapper that a portfolio runs.
struct PortfolioMember {
  std::string name;
  double seconds = 0;        ///< about what it takes; depends on the problem alone
  double min_seconds = 0;    ///< with less it is of no use
  bool is_mainstay = false;  ///< the quickest that is good whatever the guest
  bool is_quick = false;     ///< with its option effort=quick
};

/// Members for a problem, the quickest first, the mainstay before its turn. `auto`: every mapper in
/// the table that is self-contained and can map the problem in reasonable time, but no refiners; so
/// a new mapper is a member too; `quick`: those of them that take a tenth of the time. Otherwise
/// the mappers that `names` joins by plus signs, whatever they take.
/// @throws UsageError for a name that is unknown or of a portfolio, and for a mapper that is named
/// but cannot map the problem.
std::vector<PortfolioMember> portfolio_members(const MappingProblem& problem,
                                               const SearchControl& control,
                                               std::string_view names);

/// Mappers that refine an embedding, but for mere descent, and are of use for the problem.
/// @param steps of a usual refiner that each has the time of.
std::vector<std::string> portfolio_refiners(const MappingProblem& problem,
                                            const SearchControl& control, double steps);

/// Budget of a refiner that takes about as long as `steps` steps of a usual one.
double steps_of_refiner(const MapperInfo& info, const MappingProblem& problem, double steps);

}  // namespace vtopo::detail

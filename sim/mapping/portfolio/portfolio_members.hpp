#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// Mapper that a portfolio runs.
struct PortfolioMember {
  std::string name;
  double seconds = 0;        ///< about what it takes; depends on the problem alone
  double min_seconds = 0;    ///< with less it is of no use
  bool is_mainstay = false;  ///< the quickest that is good whatever the guest
};

/// Members for a problem, the quickest first, the mainstay before its turn. `auto`: every mapper in
/// the table that is self-contained and can map the problem in reasonable time, but no refiners; so
/// a new mapper is a member too. Otherwise the mappers that `names` joins by plus signs, whatever
/// they take.
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

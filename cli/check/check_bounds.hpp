#pragma once

#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Proves the lower bounds of a report again from their witnesses: distances of slots, prices of an
/// assignment, what sets of ranks exchange at least, cells and the links between them. Arguments
/// that it does not know become open, by name.
/// @throws WrongFigure for a bound that is not what its argument proves, or a wrong witness.
void check_bounds(const Job& job, const Routes& routes, const Json& bounds, const Json& witness,
                  Claims& claims);

}  // namespace vtopo::detail::checking

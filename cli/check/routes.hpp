#pragma once

#include <string>

#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Listed routes; each is a walk, or a flow from its source to its destination, of the listed hops.
/// @param rule of routing
/// @param job is told whether any flow splits.
/// @throws WrongFigure
Routes read_routes(const Json& list, const std::string& rule, Job& job, Claims& claims);

}  // namespace vtopo::detail::checking

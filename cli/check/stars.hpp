#pragma once

#include "cli/check/claims.hpp"
#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// What shares of pairs of ranks and prices prove about hop-bytes: both shares of a pair are no
/// more than its volume times hops, and no rank on a slot costs less, its partners on the cheapest
/// other slots, each on one of its own, than the prices of both. Shares for longer ways than a
/// shortest path are wrong if distances are known to be those, else they become open.
/// @throws WrongFigure for other shares and prices.
double hop_bytes_by_stars(const Job& job, bool is_exact, const Json& stars, Claims& claims);

}  // namespace vtopo::detail::checking

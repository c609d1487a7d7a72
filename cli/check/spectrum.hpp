#pragma once

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// What eigenvalues prove about hop-bytes: volumes between ranks, less half of what a rank
/// exchanges on its diagonal entry, and hops between slots, both without their part along the
/// constant vector, the largest eigenvalues of one with the smallest of the other; sums of rows
/// likewise (Hadley, Rendl and Wolkowicz 1992). 0 above 1,024 slots.
/// @param claimed returned if it is no more, and as near as what reports take off for rounding.
double hop_bytes_by_spectrum(const Job& job, double claimed);

}  // namespace vtopo::detail::checking

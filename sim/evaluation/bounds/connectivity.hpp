#pragma once

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Lower bound of the second eigenvalue of the guest's Laplacian (Fiedler 1973), volumes both ways
/// as weights: any k of n ranks exchange at least this times k * (n - k) / n with the others. It is
/// certain: a Cholesky factorisation of the Laplacian, shifted by the value and made positive on
/// the constant vector, has succeeded, and its rounding errors (Rump, "Verification of positive
/// definiteness", BIT 2006) are taken off. 0 where that fails, and above 1,024 ranks.
double least_connectivity(const Partners& partners);

}  // namespace vtopo::detail

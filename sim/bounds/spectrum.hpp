#pragma once

#include "netmodels/network.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/placement/allocation.hpp"

/// Bounds by eigenvalues. They are certain: those that Eigen computes are exact for a matrix nearby
/// (backward stability), and what its distance may change is taken off.
namespace vtopo::detail {

/// Above this number of ranks, or of slots, no eigenvalues are computed.
inline constexpr int max_spectrum = 1024;

/// Lower bound of the second eigenvalue of the guest's Laplacian (Fiedler 1973), volumes both ways
/// as weights: any k of n ranks exchange at least this times k * (n - k) / n with the others. 0
/// above 1,024 ranks.
double least_connectivity(const Partners& partners);

/// Least hop-bytes of a quadratic assignment by its eigenvalues (Hadley, Rendl and Wolkowicz 1992):
/// of volumes and distances, each without its part along the constant vector, the largest go with
/// the smallest; the sums of rows likewise. Half of what a rank exchanges is taken off its diagonal
/// entry first, which costs nothing, since no rank is away from itself, and is what makes ranks of
/// few and of many partners comparable. Large where the guest is an expander, else below other
/// arguments. Distances are those of shortest paths, which no route falls short of and which a
/// reader of the links can verify. 0 above 1,024 slots and where it is not known how links are
/// joined.
/// @throws InputError if two hosts have neither a path nor a route.
double spectral_bound(const Partners& partners, const Network& network,
                      const Allocation& allocation);

}  // namespace vtopo::detail

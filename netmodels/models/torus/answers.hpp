#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "netmodels/models/torus/spec.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// `plane`: hosts of equal coordinate in a dimension.
HostParts torus_planes(const TorusSpec& spec, int hosts);

/// Coordinates in each dimension, in which pairs of planes cut a ring; with several hosts per
/// router also hosts and routers.
std::vector<VertexCells> torus_cuts(const TorusSpec& spec, int hosts);

/// Hosts by hops from one in the middle, as far as the nearest `count` are.
/// @param at routers by hops in dimensions that the specification does not have.
std::vector<std::int64_t> torus_distance_profile(const TorusSpec& spec, std::int64_t count,
                                                 std::vector<std::int64_t> at = {1});

/// With one host per router, one bandwidth, and dimensions that all wrap or all do not: 2 * psi or
/// psi cables, psi = sum over i <= a of the product of the sizes k_j, j > i, with sizes descending
/// and k_a the first even one, or the last if all are odd: J. Arjona Aroca and A. Fernández Anta,
/// "Bisection (Band)Width of Product Networks with Application to Data Centers" (TAMC 2012). With
/// a twist, of 2a x a with twist a alone: 4a cables (proof at the function).
std::optional<Bisection> torus_bisection(const TorusSpec& spec);

/// Planes of the first two dimensions.
PlaneLayout torus_picture(const TorusSpec& spec, int hosts);

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "sim/evaluation/bounds/network_cuts.hpp"

namespace vtopo {

/// Bandwidth that a link adds to a cut.
BytesPerSecond cut_capacity(const LinkProperties& link);

/// One family per dimension. Meshes: each plane between two coordinates. Rings: pairs of planes
/// half a ring apart; on a ring of even size the hops between two coordinates are the pairs that
/// part them, of odd size half of them.
std::vector<CutFamily> torus_plane_cuts(const TorusSpec& spec, const Network& network,
                                        const Allocation& allocation);

}  // namespace vtopo

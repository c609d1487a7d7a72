#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/models/hyperx/grid.hpp"
#include "netmodels/network_answers.hpp"
#include "netmodels/network_layout.hpp"

namespace vtopo::detail {

/// Specification that gives the same network again: `hyperx:4x4,per_router=2,links=1/2`, with rates
/// where they are given.
std::string hyperx_description(const HyperXSpec& spec);

/// Sizes as complete axes.
HostCoordinates hyperx_coordinates(const HyperXSpec& spec);

/// `plane`: hosts of equal coordinate in a dimension.
HostParts hyperx_planes(const HyperXSpec& spec, int hosts);

/// Planes and halves of each dimension; with several hosts per router also hosts and routers.
std::vector<VertexCells> hyperx_cuts(const HyperXGrid& grid);

/// Hosts by hops from any.
std::vector<std::int64_t> hyperx_distance_profile(const HyperXGrid& grid);

/// Let w be the bandwidth and S the size of a dimension, N the routers.
/// - The dimension of the least w * S has an even size: halving it cuts w * S * N / 4, and no
/// halves
///   have less between them, as w * S is the algebraic connectivity (M. Fiedler, "Algebraic
///   Connectivity of Graphs", 1973); Ahn et al. (SC09) give the same. With several hosts per router
///   half of the hosts' cables are another cut, and the smaller one is the bisection: with any
///   number of routers on one side, of which the hosts make up for what is not half, the cut is
///   concave in this number.
/// - One bandwidth and one host per router: routers in lexicographic order, the largest dimension
///   the fastest, have the fewest links to the others (J. H. Lindsey, "Assignment of Numbers to
///   Vertices", American Mathematical Monthly, 1964).
/// @param rates of each dimension, then of the hosts' cables.
std::optional<Bisection> hyperx_bisection(const HyperXGrid& grid,
                                          const std::vector<LinkProperties>& rates);

/// Planes of the first two dimensions.
PlaneLayout hyperx_picture(const HyperXSpec& spec, int hosts);

}  // namespace vtopo::detail

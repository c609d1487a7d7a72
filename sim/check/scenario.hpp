#pragma once

#include "sim/check/evidence.hpp"

/// Grids that a scenario names, built anew.
namespace vtopo::detail::checking {

/// Sides of `cart:4x4p` or `hypercube:3`, the slowest first; nothing for other topologies.
std::optional<std::vector<Side>> cart_of(const std::string& topology);

/// Edges `[source, destination, bytes]` of a grid, neighbours as MPI lists them.
/// @param bytes of all, or by dimension.
Json edges_of_grid(const std::vector<Side>& sides, const Numbers& bytes);

/// Sides of `torus:4x4x2m` or `mesh:4x4` without keys, the fastest first; nothing for others.
std::optional<std::vector<Side>> torus_of(const std::string& network);

/// Links, cells, axes and routes of a torus.
void check_torus(Evidence& e);

}  // namespace vtopo::detail::checking

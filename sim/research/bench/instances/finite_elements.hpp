#pragma once

#include <string_view>

#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// How specifications of `finite_elements_guest` begin.
inline constexpr std::string_view finite_elements_prefix = "fem-halo:";

/// Halo of a finite-element program, as those of C. Walshaw's graph partitioning archive are: a
/// mesh of 64 points per rank, of triangles (`fem-halo:2:RANKS:SEED`) or tetrahedra
/// (`fem-halo:3:RANKS:SEED`), finer near a wall and around a body, cut into one part per rank by
/// recursive coordinate bisection. Ranks are numbered as the bisection goes; 8 bytes cross each
/// edge of the mesh between two parts, both ways. The same on every machine.
/// @throws UsageError for any other specification.
CommGraph finite_elements_guest(std::string_view spec);

}  // namespace vtopo::detail

#pragma once

#include "topology/mpi/virtual_topology.hpp"

/// The two kinds of dimensions, short enough for lists of them.
inline constexpr auto periodic = vtopo::Periodicity::periodic;
inline constexpr auto not_periodic = vtopo::Periodicity::open;

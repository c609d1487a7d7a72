#pragma once

#include "topology/mpi/virtual_topology.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail::overlay {

/// What is to be mapped: a topology over the new ranks.
struct ReorderProblem {
  const CommGraph& guest;           ///< one exchange: 1 byte per edge, or its weight in bytes
  const Cartesian* grid = nullptr;  ///< if it is one
};

}  // namespace vtopo::detail::overlay

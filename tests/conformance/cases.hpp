#pragma once

#include "tests/conformance/stage.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

// Random cases: each makes some communicators and asks everything about them.

/// Dup, split and comparison.
void communicator_case(Stage& stage);

/// Cartesian grids: create, map, sub, and all inquiries.
void cart_case(Stage& stage);

/// Graphs: create, map, and all inquiries.
void graph_case(Stage& stage);

/// Distributed graphs of which each process gives the edges at itself.
void dist_graph_adjacent_case(Stage& stage);

/// Distributed graphs of which any process gives any edges.
void dist_graph_case(Stage& stage);

/// Calls that MPI calls erroneous.
void erroneous_case(Stage& stage);

// Parts of cases.

/// A slot with one communicator: the world, its duplicate, or some processes of it in any order.
int random_parent(Stage& stage);

/// A slot with duplicates of the communicators of `slot`.
int duplicated(Stage& stage, int slot);

/// Asks which kind of topology the communicators carry.
void ask_topo_test(Stage& stage, int slot);

/// Asks how the communicators of two slots compare.
void ask_comm_compare(Stage& stage, int slot, int other);

enum class NeighbourOrder : bool { as_given, any };

/// Lets neighbours exchange their ranks (MPI_Neighbor_allgather).
void ask_neighbor_allgather(Stage& stage, int slot, NeighbourOrder order);

/// Lets neighbours exchange one number per pair (MPI_Neighbor_alltoall): 1000 * rank + place.
void ask_neighbor_alltoall(Stage& stage, int slot);

}  // namespace vtopo::conformance

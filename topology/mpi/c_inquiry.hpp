#pragma once

#include <optional>

#include "topology/mpi/c_arguments.hpp"

namespace vtopo::detail::c {

// The inquiry functions with the arguments of C: results go to pointers and arrays of the caller. A
// maximum is the length of an array; only that many entries are written. All throw MpiError: as
// topology/mpi/inquiry.hpp says, MPI_ERR_COMM for a null handle, and MPI_ERR_ARG for a negative
// maximum or a null pointer where something is to be written.

void graphdims_get(Handle comm, int* nnodes, int* nedges);
void graph_get(Handle comm, int maxindex, int maxedges, int* index, int* edges);
void cartdim_get(Handle comm, int* ndims);

/// A grid of zero dimensions leaves the arrays as they are.
void cart_get(Handle comm, Rank caller, int maxdims, int* dims, int* periods, int* coords);

/// @param coords array of as many as the grid has dimensions.
void cart_rank(Handle comm, const int* coords, int* rank);
void cart_coords(Handle comm, int rank, int maxdims, int* coords);

/// @param proc_null the binding's MPI_PROC_NULL.
void cart_shift(Handle comm, Rank caller, int direction, int disp, int* rank_source, int* rank_dest,
                int proc_null);
void graph_neighbors_count(Handle comm, int rank, int* nneighbors);
void graph_neighbors(Handle comm, int rank, int maxneighbors, int* neighbors);
void dist_graph_neighbors_count(Handle comm, Rank caller, int* indegree, int* outdegree,
                                int* weighted);

/// Array for weights; absent stands for MPI_UNWEIGHTED: no weights are returned.
using WeightBuffer = std::optional<int*>;

/// Weights of an unweighted graph are not returned.
/// @throws MpiError (MPI_ERR_OTHER) if a weight is not an int, which happens for graphs from files
/// only.
void dist_graph_neighbors(Handle comm, Rank caller, int maxindegree, int* sources,
                          WeightBuffer sourceweights, int maxoutdegree, int* destinations,
                          WeightBuffer destweights);

}  // namespace vtopo::detail::c

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "topology/mpi/communicator.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::c {

/// What a C binding needs between its arguments and the values of vtopo: null and negative
/// arguments are errors with their MPI class. Logical values are ints, true if not 0; arrays may be
/// null where nothing is read from or written to them.
/// Communicator handle; null stands for MPI_COMM_NULL.
using Handle = const Communicator*;

/// Array of weights; absent stands for MPI_UNWEIGHTED, any pointer (MPI_WEIGHTS_EMPTY) will do for
/// a list without edges.
using WeightArray = std::optional<const int*>;

/// The communicator behind a handle.
/// @param call named in the error.
/// @throws MpiError (MPI_ERR_COMM) for a null handle.
const Communicator& checked(Handle handle, std::string_view call);

/// Grid of MPI_Cart_create and MPI_Cart_map.
/// @param dims, periods arrays of `ndims`.
/// @throws MpiError (MPI_ERR_DIMS) if `ndims` is negative, (MPI_ERR_ARG) for a null array, and as
/// Cartesian does.
Cartesian grid_of(int ndims, const int* dims, const int* periods);

/// Graph of MPI_Graph_create and MPI_Graph_map.
/// @param index array of `nnodes`; @param edges array of as many as the last index says.
/// @throws MpiError (MPI_ERR_ARG) if `nnodes` is negative or an array is null, and as Graph does.
Graph graph_of(int nnodes, const int* index, const int* edges);

/// Remaining dimensions of MPI_Cart_sub.
/// @param remain_dims array of as many as the grid has dimensions.
/// @throws MpiError (MPI_ERR_COMM) for a null handle, (MPI_ERR_TOPOLOGY) without a grid,
/// (MPI_ERR_ARG) for a null array.
std::vector<bool> remain_dims_of(Handle handle, const int* remain_dims);

/// What one process gives to MPI_Dist_graph_create_adjacent.
/// @throws MpiError (MPI_ERR_ARG) if a degree or a weight is negative or an array is null.
AdjacentEdges adjacent_edges_of(int indegree, const int* sources, WeightArray source_weights,
                                int outdegree, const int* destinations,
                                WeightArray destination_weights, Info info = {});

/// What one process gives to MPI_Dist_graph_create.
/// @param sources, degrees arrays of `n`; @param destinations, weights arrays of the sum of
/// degrees.
/// @throws MpiError (MPI_ERR_ARG) if `n`, a degree or a weight is negative or an array is null.
EdgeContribution edge_contribution_of(int n, const int* sources, const int* degrees,
                                      const int* destinations, WeightArray weights, Info info = {});

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

// Fortran 77 names of the process topologies (mpif.h and `use mpi`): handles are integers, true is
// any other value than 0, and kinds of topologies count from 0.

#include "sim/mpi/fortran_handles.hpp"

using namespace vtopo::detail::overlay;

#define VTOPO_FORTRAN extern "C" __attribute__((visibility("default"))) void

extern "C" {
__attribute__((visibility("default"))) int mpi_unweighted_ = 0;
__attribute__((visibility("default"))) int mpi_weights_empty_ = 0;
}

namespace {

/// Logical values of Fortran as C passes them.
std::vector<int> truths(const int* logicals, int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back(logicals[i] != 0 ? 1 : 0);
  return values;
}

}  // namespace

VTOPO_FORTRAN mpi_topo_test_(int* comm, int* status, int* ierr) {
  *ierr = MPI_Topo_test(comm_of(*comm), status);
  if (*ierr != MPI_SUCCESS || *status == MPI_UNDEFINED) return;
  *status = *status == MPI_GRAPH ? 0 : *status == MPI_CART ? 1 : 2;
}

VTOPO_FORTRAN mpi_dims_create_(int* nnodes, int* ndims, int* dims, int* ierr) {
  *ierr = MPI_Dims_create(*nnodes, *ndims, dims);
}

VTOPO_FORTRAN mpi_cart_create_(int* comm_old, int* ndims, int* dims, int* periods, int* reorder,
                               int* comm_cart, int* ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Cart_create(comm_of(*comm_old), *ndims, dims, truths(periods, *ndims).data(),
                          *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_cart = handle_of(made);
}

VTOPO_FORTRAN mpi_cart_map_(int* comm, int* ndims, int* dims, int* periods, int* newrank,
                            int* ierr) {
  *ierr = MPI_Cart_map(comm_of(*comm), *ndims, dims, truths(periods, *ndims).data(), newrank);
}

VTOPO_FORTRAN mpi_cart_sub_(int* comm, int* remain_dims, int* newcomm, int* ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Cart_sub(comm_of(*comm), remain_dims, &made);
  if (*ierr == MPI_SUCCESS) *newcomm = handle_of(made);
}

VTOPO_FORTRAN mpi_cartdim_get_(int* comm, int* ndims, int* ierr) {
  *ierr = MPI_Cartdim_get(comm_of(*comm), ndims);
}

VTOPO_FORTRAN mpi_cart_get_(int* comm, int* maxdims, int* dims, int* periods, int* coords,
                            int* ierr) {
  *ierr = MPI_Cart_get(comm_of(*comm), *maxdims, dims, periods, coords);
}

VTOPO_FORTRAN mpi_cart_rank_(int* comm, int* coords, int* rank, int* ierr) {
  *ierr = MPI_Cart_rank(comm_of(*comm), coords, rank);
}

VTOPO_FORTRAN mpi_cart_coords_(int* comm, int* rank, int* maxdims, int* coords, int* ierr) {
  *ierr = MPI_Cart_coords(comm_of(*comm), *rank, *maxdims, coords);
}

VTOPO_FORTRAN mpi_cart_shift_(int* comm, int* direction, int* disp, int* source, int* destination,
                              int* ierr) {
  *ierr = MPI_Cart_shift(comm_of(*comm), *direction, *disp, source, destination);
}

VTOPO_FORTRAN mpi_graph_create_(int* comm_old, int* nnodes, int* index, int* edges, int* reorder,
                                int* comm_graph, int* ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Graph_create(comm_of(*comm_old), *nnodes, index, edges, *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_graph = handle_of(made);
}

VTOPO_FORTRAN mpi_graph_map_(int* comm, int* nnodes, int* index, int* edges, int* newrank,
                             int* ierr) {
  *ierr = MPI_Graph_map(comm_of(*comm), *nnodes, index, edges, newrank);
}

VTOPO_FORTRAN mpi_graphdims_get_(int* comm, int* nnodes, int* nedges, int* ierr) {
  *ierr = MPI_Graphdims_get(comm_of(*comm), nnodes, nedges);
}

VTOPO_FORTRAN mpi_graph_get_(int* comm, int* maxindex, int* maxedges, int* index, int* edges,
                             int* ierr) {
  *ierr = MPI_Graph_get(comm_of(*comm), *maxindex, *maxedges, index, edges);
}

VTOPO_FORTRAN mpi_graph_neighbors_count_(int* comm, int* rank, int* nneighbors, int* ierr) {
  *ierr = MPI_Graph_neighbors_count(comm_of(*comm), *rank, nneighbors);
}

VTOPO_FORTRAN mpi_graph_neighbors_(int* comm, int* rank, int* maxneighbors, int* neighbors,
                                   int* ierr) {
  *ierr = MPI_Graph_neighbors(comm_of(*comm), *rank, *maxneighbors, neighbors);
}

VTOPO_FORTRAN mpi_dist_graph_create_adjacent_(int* comm_old, int* indegree, int* sources,
                                              int* sourceweights, int* outdegree, int* destinations,
                                              int* destweights, int* info, int* reorder,
                                              int* comm_dist_graph, int* ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Dist_graph_create_adjacent(
      comm_of(*comm_old), *indegree, sources, weights_of_fortran(sourceweights), *outdegree,
      destinations, weights_of_fortran(destweights), info_handle_of(*info), *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_dist_graph = handle_of(made);
}

VTOPO_FORTRAN mpi_dist_graph_create_(int* comm_old, int* n, int* sources, int* degrees,
                                     int* destinations, int* weights, int* info, int* reorder,
                                     int* comm_dist_graph, int* ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr =
      MPI_Dist_graph_create(comm_of(*comm_old), *n, sources, degrees, destinations,
                            weights_of_fortran(weights), info_handle_of(*info), *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_dist_graph = handle_of(made);
}

VTOPO_FORTRAN mpi_dist_graph_neighbors_count_(int* comm, int* indegree, int* outdegree,
                                              int* weighted, int* ierr) {
  *ierr = MPI_Dist_graph_neighbors_count(comm_of(*comm), indegree, outdegree, weighted);
}

VTOPO_FORTRAN mpi_dist_graph_neighbors_(int* comm, int* maxindegree, int* sources,
                                        int* sourceweights, int* maxoutdegree, int* destinations,
                                        int* destweights, int* ierr) {
  *ierr = MPI_Dist_graph_neighbors(comm_of(*comm), *maxindegree, sources,
                                   weights_of_fortran(sourceweights), *maxoutdegree, destinations,
                                   weights_of_fortran(destweights));
}

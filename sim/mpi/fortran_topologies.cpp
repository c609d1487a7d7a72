// Fortran names of those functions of process topologies that convert more than handles: true is
// any other value than 0, kinds of topologies count from 0, and weights may be left out.

#include <algorithm>

#include "sim/mpi/fortran_handles.hpp"

using namespace vtopo::detail::overlay;

extern "C" {
__attribute__((visibility("default"))) int mpi_unweighted_ = 0;
__attribute__((visibility("default"))) int mpi_weights_empty_ = 0;
}

namespace {

/// Logical values of Fortran as C passes them.
std::vector<int> truths(const int* logicals, int count) {
  std::vector<int> values;
  values.reserve(static_cast<std::size_t>(std::max(0, count)));
  for (int i = 0; i < count; ++i) values.push_back(logicals[i] != 0 ? 1 : 0);
  return values;
}

}  // namespace

VTOPO_FORTRAN(topo_test, int* comm, int* status, ErrorCode ierr) {
  *ierr = MPI_Topo_test(comm_of(*comm), status);
  if (*ierr != MPI_SUCCESS || *status == MPI_UNDEFINED) return;
  *status = *status == MPI_GRAPH ? 0 : *status == MPI_CART ? 1 : 2;
}

VTOPO_FORTRAN(cart_create, int* comm_old, int* ndims, int* dims, int* periods, int* reorder,
              int* comm_cart, ErrorCode ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Cart_create(comm_of(*comm_old), *ndims, dims, truths(periods, *ndims).data(),
                          *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_cart = handle_of(made);
}

VTOPO_FORTRAN(cart_map, int* comm, int* ndims, int* dims, int* periods, int* newrank,
              ErrorCode ierr) {
  *ierr = MPI_Cart_map(comm_of(*comm), *ndims, dims, truths(periods, *ndims).data(), newrank);
}

VTOPO_FORTRAN(dist_graph_create_adjacent, int* comm_old, int* indegree, int* sources,
              int* sourceweights, int* outdegree, int* destinations, int* destweights, int* info,
              int* reorder, int* comm_dist_graph, ErrorCode ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr = MPI_Dist_graph_create_adjacent(
      comm_of(*comm_old), *indegree, sources, weights_of_fortran(sourceweights), *outdegree,
      destinations, weights_of_fortran(destweights), info_handle_of(*info), *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_dist_graph = handle_of(made);
}

VTOPO_FORTRAN(dist_graph_create, int* comm_old, int* n, int* sources, int* degrees,
              int* destinations, int* weights, int* info, int* reorder, int* comm_dist_graph,
              ErrorCode ierr) {
  MPI_Comm made = MPI_COMM_NULL;
  *ierr =
      MPI_Dist_graph_create(comm_of(*comm_old), *n, sources, degrees, destinations,
                            weights_of_fortran(weights), info_handle_of(*info), *reorder, &made);
  if (*ierr == MPI_SUCCESS) *comm_dist_graph = handle_of(made);
}

VTOPO_FORTRAN(dist_graph_neighbors, int* comm, int* maxindegree, int* sources, int* sourceweights,
              int* maxoutdegree, int* destinations, int* destweights, ErrorCode ierr) {
  *ierr = MPI_Dist_graph_neighbors(comm_of(*comm), *maxindegree, sources,
                                   weights_of_fortran(sourceweights), *maxoutdegree, destinations,
                                   weights_of_fortran(destweights));
}

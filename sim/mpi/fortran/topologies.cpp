// Fortran names of those functions of process topologies that convert more than handles: true is
// any other value than 0, kinds of topologies count from 0, and weights may be left out. And of
// functions with lists of datatypes, as long as another argument or the topology says.

#include <algorithm>

#include "sim/mpi/fortran/handles.hpp"
#include "sim/mpi/smpi_repairs/intercommunicators.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"

#pragma GCC visibility push(default)
#include "sim/mpi/vtopo_mpi.h"
#pragma GCC visibility pop

using namespace vtopo::detail::overlay;

extern "C" {
__attribute__((visibility("default"))) int mpi_unweighted_ = 0;
__attribute__((visibility("default"))) int mpi_weights_empty_ = 0;
}

namespace {

/// To and from how many processes a collective function moves data.
std::size_t num_partners(MPI_Comm comm) {
  if (const Intercommunicator* const between = intercommunicator(comm))
    return between->remote.size();
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return static_cast<std::size_t>(size);
}

/// Logical values of Fortran as C passes them.
std::vector<int> truths(const int* logicals, int count) {
  std::vector<int> values;
  values.reserve(static_cast<std::size_t>(std::max(0, count)));
  for (int i = 0; i < count; ++i) values.push_back(logicals[i] != 0 ? 1 : 0);
  return values;
}

/// Datatypes of Fortran handles.
std::vector<MPI_Datatype> types_of(const int* handles, std::size_t count) {
  std::vector<MPI_Datatype> types;
  for (std::size_t i = 0; i < count; ++i)
    types.push_back(FortranHandle<MPI_Datatype>::to_c(handles[i]));
  return types;
}

/// Numbers of sources and destinations of the calling process; 0 without a virtual topology, which
/// the call itself complains about.
std::pair<std::size_t, std::size_t> degrees_of(int comm) {
  AttachedTopology* found = comm < 0 ? nullptr : attached(comm_of(comm));
  if (found == nullptr) return {0, 0};
  const Peers& peers = peers_of(comm_of(comm), "neighbor_alltoallw");
  return {peers.sources.size(), peers.destinations.size()};
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

VTOPO_FORTRAN(type_create_struct, int* count, int* blocklengths, MPI_Aint* displacements,
              int* types, int* newtype, ErrorCode ierr) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  *ierr = MPI_Type_create_struct(
      *count, blocklengths, displacements,
      types_of(types, static_cast<std::size_t>(std::max(*count, 0))).data(), &made);
  *newtype = FortranHandle<MPI_Datatype>::to_fortran(made);
}

VTOPO_FORTRAN(alltoallw, void* sendbuf, int* sendcounts, int* sdispls, int* sendtypes,
              void* recvbuf, int* recvcounts, int* rdispls, int* recvtypes, int* comm,
              ErrorCode ierr) {
  const std::size_t size = num_partners(comm_of(*comm));
  *ierr = MPI_Alltoallw(buffer_of(sendbuf), sendcounts, sdispls, types_of(sendtypes, size).data(),
                        buffer_of(recvbuf), recvcounts, rdispls, types_of(recvtypes, size).data(),
                        comm_of(*comm));
}

VTOPO_FORTRAN(ialltoallw, void* sendbuf, int* sendcounts, int* sdispls, int* sendtypes,
              void* recvbuf, int* recvcounts, int* rdispls, int* recvtypes, int* comm, int* request,
              ErrorCode ierr) {
  const std::size_t size = num_partners(comm_of(*comm));
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Ialltoallw(buffer_of(sendbuf), sendcounts, sdispls, types_of(sendtypes, size).data(),
                         buffer_of(recvbuf), recvcounts, rdispls, types_of(recvtypes, size).data(),
                         comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN(type_get_contents, int* datatype, int* max_integers, int* max_addresses,
              int* max_datatypes, int* integers, MPI_Aint* addresses, int* datatypes,
              ErrorCode ierr) {
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(std::max(*max_datatypes, 0)));
  const MPI_Datatype type = FortranHandle<MPI_Datatype>::to_c(*datatype);
  *ierr = MPI_Type_get_contents(type, *max_integers, *max_addresses, *max_datatypes, integers,
                                addresses, types.data());
  int num_integers = 0, num_addresses = 0, num_types = 0, combiner = 0;
  if (*ierr != MPI_SUCCESS || MPI_Type_get_envelope(type, &num_integers, &num_addresses, &num_types,
                                                    &combiner) != MPI_SUCCESS)
    return;
  for (std::size_t i = 0; i < types.size() && static_cast<int>(i) < num_types; ++i)
    datatypes[i] = FortranHandle<MPI_Datatype>::to_fortran(types[i]);
}

// Of older standards: numbers of bytes that fit an integer.

VTOPO_FORTRAN(address, void* location, int* address, ErrorCode ierr) {
  MPI_Aint whole = 0;
  *ierr = MPI_Get_address(buffer_of(location), &whole);
  *address = static_cast<int>(whole);
}

VTOPO_FORTRAN(type_extent, int* datatype, int* extent, ErrorCode ierr) {
  MPI_Aint lower = 0, whole = 0;
  *ierr = MPI_Type_get_extent(FortranHandle<MPI_Datatype>::to_c(*datatype), &lower, &whole);
  if (*ierr == MPI_SUCCESS) *extent = static_cast<int>(whole);
}

VTOPO_FORTRAN(type_lb, int* datatype, int* displacement, ErrorCode ierr) {
  MPI_Aint lower = 0, whole = 0;
  *ierr = MPI_Type_get_extent(FortranHandle<MPI_Datatype>::to_c(*datatype), &lower, &whole);
  if (*ierr == MPI_SUCCESS) *displacement = static_cast<int>(lower);
}

VTOPO_FORTRAN(type_ub, int* datatype, int* displacement, ErrorCode ierr) {
  MPI_Aint lower = 0, whole = 0;
  *ierr = MPI_Type_get_extent(FortranHandle<MPI_Datatype>::to_c(*datatype), &lower, &whole);
  if (*ierr == MPI_SUCCESS) *displacement = static_cast<int>(lower + whole);
}

VTOPO_FORTRAN(type_hvector, int* count, int* blocklength, int* stride, int* oldtype, int* newtype,
              ErrorCode ierr) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  *ierr = MPI_Type_create_hvector(*count, *blocklength, *stride,
                                  FortranHandle<MPI_Datatype>::to_c(*oldtype), &made);
  *newtype = FortranHandle<MPI_Datatype>::to_fortran(made);
}

VTOPO_FORTRAN(type_hindexed, int* count, int* blocklengths, int* displacements, int* oldtype,
              int* newtype, ErrorCode ierr) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const std::vector<MPI_Aint> places(displacements, displacements + std::max(*count, 0));
  *ierr = MPI_Type_create_hindexed(*count, blocklengths, places.data(),
                                   FortranHandle<MPI_Datatype>::to_c(*oldtype), &made);
  *newtype = FortranHandle<MPI_Datatype>::to_fortran(made);
}

VTOPO_FORTRAN(type_struct, int* count, int* blocklengths, int* displacements, int* types,
              int* newtype, ErrorCode ierr) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const std::vector<MPI_Aint> places(displacements, displacements + std::max(*count, 0));
  *ierr = MPI_Type_create_struct(
      *count, blocklengths, places.data(),
      types_of(types, static_cast<std::size_t>(std::max(*count, 0))).data(), &made);
  *newtype = FortranHandle<MPI_Datatype>::to_fortran(made);
}

VTOPO_FORTRAN(neighbor_alltoallw, void* sendbuf, int* sendcounts, MPI_Aint* sdispls, int* sendtypes,
              void* recvbuf, int* recvcounts, MPI_Aint* rdispls, int* recvtypes, int* comm,
              ErrorCode ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  *ierr =
      MPI_Neighbor_alltoallw(buffer_of(sendbuf), sendcounts, sdispls,
                             types_of(sendtypes, outdegree).data(), buffer_of(recvbuf), recvcounts,
                             rdispls, types_of(recvtypes, indegree).data(), comm_of(*comm));
}

VTOPO_FORTRAN(ineighbor_alltoallw, void* sendbuf, int* sendcounts, MPI_Aint* sdispls,
              int* sendtypes, void* recvbuf, int* recvcounts, MPI_Aint* rdispls, int* recvtypes,
              int* comm, int* request, ErrorCode ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr =
      MPI_Ineighbor_alltoallw(buffer_of(sendbuf), sendcounts, sdispls,
                              types_of(sendtypes, outdegree).data(), buffer_of(recvbuf), recvcounts,
                              rdispls, types_of(recvtypes, indegree).data(), comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN(neighbor_alltoallw_init, void* sendbuf, int* sendcounts, MPI_Aint* sdispls,
              int* sendtypes, void* recvbuf, int* recvcounts, MPI_Aint* rdispls, int* recvtypes,
              int* comm, int*, int* request, ErrorCode ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_alltoallw_init(buffer_of(sendbuf), sendcounts, sdispls,
                                      types_of(sendtypes, outdegree).data(), buffer_of(recvbuf),
                                      recvcounts, rdispls, types_of(recvtypes, indegree).data(),
                                      comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

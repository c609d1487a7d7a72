// Fortran names of functions with lists of datatypes, as long as another argument or the topology
// says.

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/fortran_handles.hpp"

#pragma GCC visibility push(default)
#include "sim/mpi/vtopo_mpi.h"
#pragma GCC visibility pop

using namespace vtopo::detail::overlay;

namespace {

/// Datatypes of Fortran handles.
std::vector<MPI_Datatype> types_of(const int* handles, std::size_t count) {
  std::vector<MPI_Datatype> types;
  for (std::size_t i = 0; i < count; ++i) types.push_back(PMPI_Type_f2c(handles[i]));
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
  int size = 0;
  PMPI_Comm_size(comm_of(*comm), &size);
  *ierr = MPI_Alltoallw(buffer_of(sendbuf), sendcounts, sdispls,
                        types_of(sendtypes, static_cast<std::size_t>(size)).data(),
                        buffer_of(recvbuf), recvcounts, rdispls,
                        types_of(recvtypes, static_cast<std::size_t>(size)).data(), comm_of(*comm));
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

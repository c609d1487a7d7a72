// Fortran 77 names of the neighbourhood collectives.

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/fortran_handles.hpp"

#include <smpi/mpi.h>

#pragma GCC visibility push(default)
#include "sim/mpi/vtopo_mpi.h"
#pragma GCC visibility pop

using namespace vtopo::detail::overlay;

#define VTOPO_FORTRAN extern "C" __attribute__((visibility("default"))) void

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

VTOPO_FORTRAN mpi_neighbor_allgather_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                      int* recvcount, int* recvtype, int* comm, int* ierr) {
  *ierr = MPI_Neighbor_allgather(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                 buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                 comm_of(*comm));
}

VTOPO_FORTRAN mpi_ineighbor_allgather_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                       int* recvcount, int* recvtype, int* comm, int* request,
                                       int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Ineighbor_allgather(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                  buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                  comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_allgather_init_(void* sendbuf, int* sendcount, int* sendtype,
                                           void* recvbuf, int* recvcount, int* recvtype, int* comm,
                                           int*, int* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_allgather_init(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                      buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                      comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_allgatherv_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                       int* recvcounts, int* displs, int* recvtype, int* comm,
                                       int* ierr) {
  *ierr = MPI_Neighbor_allgatherv(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                  buffer_of(recvbuf), recvcounts, displs, PMPI_Type_f2c(*recvtype),
                                  comm_of(*comm));
}

VTOPO_FORTRAN mpi_ineighbor_allgatherv_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                        int* recvcounts, int* displs, int* recvtype, int* comm,
                                        int* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Ineighbor_allgatherv(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                   buffer_of(recvbuf), recvcounts, displs, PMPI_Type_f2c(*recvtype),
                                   comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_allgatherv_init_(void* sendbuf, int* sendcount, int* sendtype,
                                            void* recvbuf, int* recvcounts, int* displs,
                                            int* recvtype, int* comm, int*, int* request,
                                            int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_allgatherv_init(
      buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype), buffer_of(recvbuf), recvcounts,
      displs, PMPI_Type_f2c(*recvtype), comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoall_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                     int* recvcount, int* recvtype, int* comm, int* ierr) {
  *ierr = MPI_Neighbor_alltoall(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                comm_of(*comm));
}

VTOPO_FORTRAN mpi_ineighbor_alltoall_(void* sendbuf, int* sendcount, int* sendtype, void* recvbuf,
                                      int* recvcount, int* recvtype, int* comm, int* request,
                                      int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Ineighbor_alltoall(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                 buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                 comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoall_init_(void* sendbuf, int* sendcount, int* sendtype,
                                          void* recvbuf, int* recvcount, int* recvtype, int* comm,
                                          int*, int* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_alltoall_init(buffer_of(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                     buffer_of(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                     comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoallv_(void* sendbuf, int* sendcounts, int* sdispls, int* sendtype,
                                      void* recvbuf, int* recvcounts, int* rdispls, int* recvtype,
                                      int* comm, int* ierr) {
  *ierr = MPI_Neighbor_alltoallv(buffer_of(sendbuf), sendcounts, sdispls, PMPI_Type_f2c(*sendtype),
                                 buffer_of(recvbuf), recvcounts, rdispls, PMPI_Type_f2c(*recvtype),
                                 comm_of(*comm));
}

VTOPO_FORTRAN mpi_ineighbor_alltoallv_(void* sendbuf, int* sendcounts, int* sdispls, int* sendtype,
                                       void* recvbuf, int* recvcounts, int* rdispls, int* recvtype,
                                       int* comm, int* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Ineighbor_alltoallv(buffer_of(sendbuf), sendcounts, sdispls, PMPI_Type_f2c(*sendtype),
                                  buffer_of(recvbuf), recvcounts, rdispls, PMPI_Type_f2c(*recvtype),
                                  comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoallv_init_(void* sendbuf, int* sendcounts, int* sdispls,
                                           int* sendtype, void* recvbuf, int* recvcounts,
                                           int* rdispls, int* recvtype, int* comm, int*,
                                           int* request, int* ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_alltoallv_init(
      buffer_of(sendbuf), sendcounts, sdispls, PMPI_Type_f2c(*sendtype), buffer_of(recvbuf),
      recvcounts, rdispls, PMPI_Type_f2c(*recvtype), comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoallw_(void* sendbuf, int* sendcounts, MPI_Aint* sdispls,
                                      int* sendtypes, void* recvbuf, int* recvcounts,
                                      MPI_Aint* rdispls, int* recvtypes, int* comm, int* ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  *ierr =
      MPI_Neighbor_alltoallw(buffer_of(sendbuf), sendcounts, sdispls,
                             types_of(sendtypes, outdegree).data(), buffer_of(recvbuf), recvcounts,
                             rdispls, types_of(recvtypes, indegree).data(), comm_of(*comm));
}

VTOPO_FORTRAN mpi_ineighbor_alltoallw_(void* sendbuf, int* sendcounts, MPI_Aint* sdispls,
                                       int* sendtypes, void* recvbuf, int* recvcounts,
                                       MPI_Aint* rdispls, int* recvtypes, int* comm, int* request,
                                       int* ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr =
      MPI_Ineighbor_alltoallw(buffer_of(sendbuf), sendcounts, sdispls,
                              types_of(sendtypes, outdegree).data(), buffer_of(recvbuf), recvcounts,
                              rdispls, types_of(recvtypes, indegree).data(), comm_of(*comm), &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN mpi_neighbor_alltoallw_init_(void* sendbuf, int* sendcounts, MPI_Aint* sdispls,
                                           int* sendtypes, void* recvbuf, int* recvcounts,
                                           MPI_Aint* rdispls, int* recvtypes, int* comm, int*,
                                           int* request, int* ierr) {
  const auto [indegree, outdegree] = degrees_of(*comm);
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Neighbor_alltoallw_init(buffer_of(sendbuf), sendcounts, sdispls,
                                      types_of(sendtypes, outdegree).data(), buffer_of(recvbuf),
                                      recvcounts, rdispls, types_of(recvtypes, indegree).data(),
                                      comm_of(*comm), MPI_INFO_NULL, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

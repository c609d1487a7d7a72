// Collective functions of MPI that block: they go to SMPI as they are; they report a deadlock.

#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"
#include "sim/mpi/open_calls.hpp"

using namespace vtopo::detail::overlay;

namespace {

OpenCall all_of(const char* name, MPI_Comm comm) {
  return {.name = name, .comm = comm, .collective = true};
}

/// SMPI gives a new communicator the fatal handler, MPI that of the old one.
int made_from(MPI_Comm old, int code, const MPI_Comm* made) {
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) inherit_error_handler(old, *made);
  return code;
}

}  // namespace

int MPI_Barrier(MPI_Comm comm) {
  const InCall call(all_of("MPI_Barrier", comm));
  return call.result(PMPI_Barrier(comm));
}

int MPI_Bcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Bcast", comm));
  return call.result(PMPI_Bcast(buf, count, datatype, root, comm));
}

int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Gather", comm));
  return call.result(
      PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                MPI_Comm comm) {
  const InCall call(all_of("MPI_Gatherv", comm));
  return call.result(PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                  recvtype, root, comm));
}

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Allgather", comm));
  return call.result(
      PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Allgatherv", comm));
  return call.result(
      PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}

int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Scatter", comm));
  return call.result(
      PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

int MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* displs,
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Scatterv", comm));
  return call.result(PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                   recvtype, root, comm));
}

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoall", comm));
  return call.result(
      PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

int MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* senddisps,
                  MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* recvdisps,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoallv", comm));
  return call.result(PMPI_Alltoallv(sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts,
                                    recvdisps, recvtype, comm));
}

int MPI_Alltoallw(const void* sendbuf, const int* sendcnts, const int* sdispls,
                  const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcnts,
                  const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoallw", comm));
  return call.result(PMPI_Alltoallw(sendbuf, sendcnts, sdispls, sendtypes, recvbuf, recvcnts,
                                    rdispls, recvtypes, comm));
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_create", comm));
  return call.result(made_from(comm, PMPI_Comm_create(comm, group, newcomm), newcomm));
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_dup", comm));
  return call.result(made_from(comm, PMPI_Comm_dup(comm, newcomm), newcomm));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* comm_out) {
  const InCall call(all_of("MPI_Comm_split", comm));
  return call.result(made_from(comm, PMPI_Comm_split(comm, color, key, comm_out), comm_out));
}

/// In SMPI the order of the new ranks is not that of the keys.
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_split_type", comm));
  if (comm == MPI_COMM_NULL || newcomm == nullptr)
    return call.result(PMPI_Comm_split_type(comm, split_type, key, info, newcomm));
  if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED)
    return call.result(MPI_ERR_ARG);
  const int color = split_type == MPI_UNDEFINED ? MPI_UNDEFINED : first_rank_on_own_host();
  return call.result(made_from(comm, PMPI_Comm_split(comm, color, key, newcomm), newcomm));
}

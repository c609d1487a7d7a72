// Collective functions of MPI that block: they go to SMPI as they are; a deadlock is told by them.

#include "sim/mpi/open_calls.hpp"

using namespace vtopo::overlay;

namespace {

OpenCall all_of(const char* name, MPI_Comm comm) {
  return {.name = name, .comm = comm, .collective = true};
}

}  // namespace

int MPI_Barrier(MPI_Comm comm) {
  const InCall call(all_of("MPI_Barrier", comm));
  return PMPI_Barrier(comm);
}

int MPI_Bcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Bcast", comm));
  return PMPI_Bcast(buf, count, datatype, root, comm);
}

int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
               int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Gather", comm));
  return PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                const int* recvcounts, const int* displs, MPI_Datatype recvtype, int root,
                MPI_Comm comm) {
  const InCall call(all_of("MPI_Gatherv", comm));
  return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                      comm);
}

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Allgather", comm));
  return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Allgatherv", comm));
  return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Scatter", comm));
  return PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* displs,
                 MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                 int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Scatterv", comm));
  return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                       comm);
}

int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm) {
  const InCall call(all_of("MPI_Reduce", comm));
  return PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  const InCall call(all_of("MPI_Allreduce", comm));
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm) {
  const InCall call(all_of("MPI_Scan", comm));
  return PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm) {
  const InCall call(all_of("MPI_Exscan", comm));
  return PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const InCall call(all_of("MPI_Reduce_scatter", comm));
  return PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const InCall call(all_of("MPI_Reduce_scatter_block", comm));
  return PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
}

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoall", comm));
  return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* senddisps,
                  MPI_Datatype sendtype, void* recvbuf, const int* recvcounts, const int* recvdisps,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoallv", comm));
  return PMPI_Alltoallv(sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts, recvdisps,
                        recvtype, comm);
}

int MPI_Alltoallw(const void* sendbuf, const int* sendcnts, const int* sdispls,
                  const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcnts,
                  const int* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const InCall call(all_of("MPI_Alltoallw", comm));
  return PMPI_Alltoallw(sendbuf, sendcnts, sdispls, sendtypes, recvbuf, recvcnts, rdispls,
                        recvtypes, comm);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_create", comm));
  return PMPI_Comm_create(comm, group, newcomm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_dup", comm));
  return PMPI_Comm_dup(comm, newcomm);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* comm_out) {
  const InCall call(all_of("MPI_Comm_split", comm));
  return PMPI_Comm_split(comm, color, key, comm_out);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(all_of("MPI_Comm_split_type", comm));
  return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}

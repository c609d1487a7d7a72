// Point-to-point functions of MPI that block: they go to SMPI as they are; a deadlock is told by
// them.

#include <simgrid/actor.h>

#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/recording.hpp"

using namespace vtopo::detail::overlay;

namespace {

constexpr const char* replace_name = "MPI_Sendrecv_replace";  // SMPI's calls MPI_Sendrecv

OpenCall send_to(const char* name, int rank, int tag, MPI_Comm comm) {
  return {.name = name, .comm = comm, .destination = {rank, tag}};
}

}  // namespace

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
             MPI_Status* status) {
  const InCall call({.name = "MPI_Recv", .comm = comm, .source = {src, tag}});
  return call.result(PMPI_Recv(buf, count, datatype, src, tag, comm, status));
}

int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dst, int tag, MPI_Comm comm) {
  const InCall call(send_to("MPI_Send", dst, tag, comm));
  return call.result(PMPI_Send(buf, count, datatype, dst, tag, comm));
}

int MPI_Ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  const InCall call(send_to("MPI_Ssend", dest, tag, comm));
  return call.result(PMPI_Ssend(buf, count, datatype, dest, tag, comm));
}

int MPI_Rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  const InCall call(send_to("MPI_Rsend", dest, tag, comm));
  return call.result(PMPI_Rsend(buf, count, datatype, dest, tag, comm));
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dst, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int src, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
  if (is_in_call(rank_of_actor(sg_actor_self_get_pid()), replace_name))
    return PMPI_Sendrecv(sendbuf, sendcount, sendtype, dst, sendtag, recvbuf, recvcount, recvtype,
                         src, recvtag, comm, status);
  const InCall call({.name = "MPI_Sendrecv",
                     .comm = comm,
                     .source = {src, recvtag},
                     .destination = {dst, sendtag}});
  return call.result(PMPI_Sendrecv(sendbuf, sendcount, sendtype, dst, sendtag, recvbuf, recvcount,
                                   recvtype, src, recvtag, comm, status));
}

int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dst, int sendtag, int src,
                         int recvtag, MPI_Comm comm, MPI_Status* status) {
  const InCall call({.name = replace_name,
                     .comm = comm,
                     .source = {src, recvtag},
                     .destination = {dst, sendtag}});
  return call.result(
      PMPI_Sendrecv_replace(buf, count, datatype, dst, sendtag, src, recvtag, comm, status));
}

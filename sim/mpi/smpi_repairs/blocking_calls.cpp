// Messages and collectives that block: they go to SMPI unchanged; a deadlock is reported by them.

#include <vector>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Of messages from a process to itself SMPI gives the number of the actor as source.
void correct_own_status(int source, int destination, int tag, MPI_Comm comm, MPI_Status* status) {
  int rank = 0;
  if (status == MPI_STATUS_IGNORE || source != destination) return;
  if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || rank != source) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
}

/// Elements without a byte are none: a process that sends such to itself ends SMPI by a division.
void leave_out_empty(int& count, MPI_Datatype& datatype) {
  int size = 1;
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return;
  if (PMPI_Type_size(datatype, &size) != MPI_SUCCESS || size != 0) return;
  count = 0;
  datatype = MPI_BYTE;
}

/// What is sent is packed first. SMPI's function aborts the simulation where that is not a byte,
/// and overwrites the whole buffer with zeros where the received message is shorter.
int sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dst, int sendtag, int src,
                     int recvtag, MPI_Comm comm, MPI_Status* status) {
  int bytes = 0, packed = 0;
  if (count < 0 || datatype == MPI_DATATYPE_NULL ||
      PMPI_Pack_size(count, datatype, comm, &bytes) != MPI_SUCCESS)
    return PMPI_Sendrecv(buf, count, datatype, dst, sendtag, buf, count, datatype, src, recvtag,
                         comm, status);  // which says what is wrong
  std::vector<char> sent(static_cast<std::size_t>(bytes));
  if (bytes > 0) PMPI_Pack(buf, count, datatype, sent.data(), bytes, &packed, comm);
  return PMPI_Sendrecv(sent.data(), packed, MPI_PACKED, dst, sendtag, buf, count, datatype, src,
                       recvtag, comm, status);
}

/// SMPI gives a new communicator the fatal handler, MPI that of the old one.
int made_from(MPI_Comm old, int code, const MPI_Comm* made) {
  if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) inherit_error_handler(old, *made);
  return code;
}

}  // namespace

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
             MPI_Status* status) {
  const InCall call({.name = "MPI_Recv", .comm = comm, .source = {src, tag}});
  return call.result(PMPI_Recv(buf, count, datatype, src, tag, comm, status));
}

#define VTOPO_SEND(Name)                                                                \
  int MPI_##Name(const void* buf, int count, MPI_Datatype datatype, int dst, int tag,   \
                 MPI_Comm comm) {                                                       \
    const InCall call({.name = "MPI_" #Name, .comm = comm, .destination = {dst, tag}}); \
    return call.result(PMPI_##Name(buf, count, datatype, dst, tag, comm));              \
  }
VTOPO_SEND(Send)
VTOPO_SEND(Ssend)
VTOPO_SEND(Rsend)
#undef VTOPO_SEND

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dst, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int src, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
  const InCall call({.name = "MPI_Sendrecv",
                     .comm = comm,
                     .source = {src, recvtag},
                     .destination = {dst, sendtag}});
  leave_out_empty(sendcount, sendtype);
  leave_out_empty(recvcount, recvtype);
  const int code = PMPI_Sendrecv(sendbuf, sendcount, sendtype, dst, sendtag, recvbuf, recvcount,
                                 recvtype, src, recvtag, comm, status);
  if (code == MPI_SUCCESS) correct_own_status(src, dst, sendtag, comm, status);
  return call.result(code);
}

int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dst, int sendtag, int src,
                         int recvtag, MPI_Comm comm, MPI_Status* status) {
  const InCall call({.name = "MPI_Sendrecv_replace",
                     .comm = comm,
                     .source = {src, recvtag},
                     .destination = {dst, sendtag}});
  const int code = sendrecv_replace(buf, count, datatype, dst, sendtag, src, recvtag, comm, status);
  if (code == MPI_SUCCESS) correct_own_status(src, dst, sendtag, comm, status);
  return call.result(code);
}

#define VTOPO_PARTS(...) __VA_ARGS__
#define VTOPO_COLLECTIVE(Name, parameters, arguments)             \
  int MPI_##Name(VTOPO_PARTS parameters, MPI_Comm comm) {         \
    const InCall call(collective_call("MPI_" #Name, comm));       \
    return call.result(PMPI_##Name(VTOPO_PARTS arguments, comm)); \
  }
#define VTOPO_SENT const void *sendbuf, int sendcount, MPI_Datatype sendtype
#define VTOPO_RECEIVED void *recvbuf, int recvcount, MPI_Datatype recvtype
#define VTOPO_SENT_PARTS \
  const void *sendbuf, const int *sendcounts, const int *senddisps, MPI_Datatype sendtype
#define VTOPO_RECEIVED_PARTS \
  void *recvbuf, const int *recvcounts, const int *recvdisps, MPI_Datatype recvtype
VTOPO_COLLECTIVE(Bcast, (void* buf, int count, MPI_Datatype datatype, int root),
                 (buf, count, datatype, root))
VTOPO_COLLECTIVE(Gather, (VTOPO_SENT, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
VTOPO_COLLECTIVE(Gatherv, (VTOPO_SENT, VTOPO_RECEIVED_PARTS, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdisps, recvtype, root))
VTOPO_COLLECTIVE(Allgather, (VTOPO_SENT, VTOPO_RECEIVED),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
VTOPO_COLLECTIVE(Allgatherv, (VTOPO_SENT, VTOPO_RECEIVED_PARTS),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdisps, recvtype))
VTOPO_COLLECTIVE(Scatter, (VTOPO_SENT, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root))
VTOPO_COLLECTIVE(Scatterv, (VTOPO_SENT_PARTS, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcount, recvtype, root))
VTOPO_COLLECTIVE(Alltoall, (VTOPO_SENT, VTOPO_RECEIVED),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype))
VTOPO_COLLECTIVE(Alltoallv, (VTOPO_SENT_PARTS, VTOPO_RECEIVED_PARTS),
                 (sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts, recvdisps,
                  recvtype))
VTOPO_COLLECTIVE(Alltoallw,
                 (const void* sendbuf, const int* sendcounts, const int* senddisps,
                  const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                  const int* recvdisps, const MPI_Datatype* recvtypes),
                 (sendbuf, sendcounts, senddisps, sendtypes, recvbuf, recvcounts, recvdisps,
                  recvtypes))
#undef VTOPO_RECEIVED_PARTS
#undef VTOPO_SENT_PARTS
#undef VTOPO_RECEIVED
#undef VTOPO_SENT
#undef VTOPO_COLLECTIVE
#undef VTOPO_PARTS

int MPI_Barrier(MPI_Comm comm) {
  const InCall call(collective_call("MPI_Barrier", comm));
  return call.result(PMPI_Barrier(comm));
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  const InCall call(collective_call("MPI_Comm_create", comm));
  return call.result(made_from(comm, PMPI_Comm_create(comm, group, newcomm), newcomm));
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  const InCall call(collective_call("MPI_Comm_dup", comm));
  return call.result(made_from(comm, PMPI_Comm_dup(comm, newcomm), newcomm));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* comm_out) {
  const InCall call(collective_call("MPI_Comm_split", comm));
  return call.result(made_from(comm, PMPI_Comm_split(comm, color, key, comm_out), comm_out));
}

/// In SMPI the order of the new ranks is not that of the keys.
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(collective_call("MPI_Comm_split_type", comm));
  if (comm == MPI_COMM_NULL || newcomm == nullptr)
    return call.result(PMPI_Comm_split_type(comm, split_type, key, info, newcomm));
  if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED)
    return call.result(MPI_ERR_ARG);
  const int color = split_type == MPI_UNDEFINED ? MPI_UNDEFINED : first_rank_on_own_host();
  return call.result(made_from(comm, PMPI_Comm_split(comm, color, key, newcomm), newcomm));
}

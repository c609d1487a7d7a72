// Point-to-point functions of MPI that block: they go to SMPI unchanged; a deadlock is reported by
// them.

#include <vector>

#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/recording.hpp"

using namespace vtopo::detail::overlay;

namespace {

OpenCall send_to(const char* name, int rank, int tag, MPI_Comm comm) {
  return {.name = name, .comm = comm, .destination = {rank, tag}};
}

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

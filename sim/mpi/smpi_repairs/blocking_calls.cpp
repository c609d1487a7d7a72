// Messages and collectives that block: they go to SMPI unchanged; a deadlock is reported by them.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"

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

namespace vtopo::detail::overlay {

/// All processes have called when the barrier is over; then each duplicates.
int duplicate_later(MPI_Comm comm, std::function<void(MPI_Comm)> done, MPI_Request* request) {
  const auto start = [&] {
    if (comm == MPI_COMM_NULL) throw ArgumentError(MPI_ERR_COMM, "the communicator is null");
    if (request == nullptr) throw ArgumentError(MPI_ERR_ARG, "the request's address is null");
    const Uncharged own_time;
    CollectiveRequest duplication;
    duplication.comm = comm;
    duplication.messages.push_back(MPI_REQUEST_NULL);
    duplication.active = true;
    duplication.at_end = [comm, done = std::move(done)] {
      MPI_Comm copy = MPI_COMM_NULL;
      smpi([&] { return made_from(comm, PMPI_Comm_dup(comm, &copy), &copy); });
      done(copy);
    };
    smpi([&] { return PMPI_Ibarrier(comm, duplication.messages.data()); });
    *request = make_request(std::move(duplication));
  };
  return mpi_function(comm, start, "MPI_Comm_idup");
}

}  // namespace vtopo::detail::overlay

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

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(collective_call("MPI_Comm_dup_with_info", comm));
  return call.result(made_from(comm, PMPI_Comm_dup_with_info(comm, info, newcomm), newcomm));
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  const InCall call(OpenCall{.name = "MPI_Comm_create_group"});
  const int code = PMPI_Comm_create_group(comm, group, tag, newcomm);
  return answered("MPI_Comm_create_group", made_from(comm, code, newcomm), comm);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  if (newcomm == nullptr) return answered("MPI_Comm_idup", MPI_ERR_ARG, comm);
  return duplicate_later(
      comm, [newcomm](MPI_Comm copy) { *newcomm = copy; }, request);
}

/// Processes are never spawned.
int MPI_Comm_get_parent(MPI_Comm* parent) {
  if (parent == nullptr) return answered("MPI_Comm_get_parent", MPI_ERR_ARG);
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* comm_out) {
  const InCall call(collective_call("MPI_Comm_split", comm));
  return call.result(made_from(comm, PMPI_Comm_split(comm, color, key, comm_out), comm_out));
}

namespace {

// Of MPI-4.0, as vtopo_mpi.h has them.
#ifdef MPI_COMM_TYPE_HW_GUIDED
constexpr int type_guided = MPI_COMM_TYPE_HW_GUIDED;
constexpr int type_unguided = MPI_COMM_TYPE_HW_UNGUIDED;
#else
constexpr int type_guided = 2;
constexpr int type_unguided = 3;
#endif

/// Whether an info asks for a machine: what processes of it share is memory.
bool asks_for_shared_memory(MPI_Info info) {
  std::string value(MPI_MAX_INFO_VAL + 1, '\0');
  int flag = 0;
  if (info == MPI_INFO_NULL || PMPI_Info_get(info, "mpi_hw_resource_type", MPI_MAX_INFO_VAL,
                                             value.data(), &flag) != MPI_SUCCESS)
    return false;
  return flag != 0 && value.c_str() == std::string_view("mpi_shared_memory");
}

/// Those with one color are together; MPI_UNDEFINED: in no communicator.
std::optional<int> color_of(int split_type, MPI_Comm comm, MPI_Info info) {
  switch (split_type) {
    case MPI_UNDEFINED:
      return MPI_UNDEFINED;
    case MPI_COMM_TYPE_SHARED:
      return first_rank_on_own_node();
    case type_unguided:
      return first_rank_on_smaller_part(world_ranks_of(comm)).value_or(MPI_UNDEFINED);
    case type_guided:
      return asks_for_shared_memory(info) ? first_rank_on_own_node() : MPI_UNDEFINED;
    default:
      return std::nullopt;
  }
}

}  // namespace

/// In SMPI the order of the new ranks is not that of the keys, and there is one type.
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(collective_call("MPI_Comm_split_type", comm));
  if (comm == MPI_COMM_NULL || newcomm == nullptr)
    return call.result(PMPI_Comm_split_type(comm, split_type, key, info, newcomm));
  const std::optional<int> color = color_of(split_type, comm, info);
  if (!color) return call.result(MPI_ERR_ARG);
  return call.result(made_from(comm, PMPI_Comm_split(comm, *color, key, newcomm), newcomm));
}

/// The name of the machine: in SMPI that of the host, which may be a place in one.
int MPI_Get_processor_name(char* name, int* resultlen) {
  const int code = PMPI_Get_processor_name(name, resultlen);
  if (code != MPI_SUCCESS || !has_joined()) return answered("MPI_Get_processor_name", code);
  const std::string node = this_process().node.substr(0, MPI_MAX_PROCESSOR_NAME - 1);
  name[node.copy(name, node.size())] = '\0';
  *resultlen = static_cast<int>(node.size());
  return MPI_SUCCESS;
}

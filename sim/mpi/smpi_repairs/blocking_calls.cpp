// Messages that block, which go to SMPI unchanged, and constructors of communicators; a deadlock is
// reported by them.

#include <algorithm>
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

/// All processes of an intracommunicator, or of both groups, must come.
OpenCall construction_call(std::string_view name, MPI_Comm comm) {
  return collective_call(name, all_of(comm));
}

/// What a constructor returns: that of an intercommunicator gives the new one, else SMPI makes it.
template <class Between, class Smpi>
int constructed(MPI_Comm comm, MPI_Comm* made, Between&& of_groups, Smpi&& smpis) {
  const Intercommunicator* const between = intercommunicator(comm);
  if (between == nullptr) return smpis();
  return ending_of([&] { *made = of_groups(*between); }).code;
}

int duplicated(MPI_Comm comm, MPI_Comm* copy) {
  return constructed(
      comm, copy, [&](const auto& between) { return duplicate(comm, between); },
      [&] { return PMPI_Comm_dup(comm, copy); });
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
      smpi([&] { return made_from(comm, duplicated(comm, &copy), &copy); });
      done(copy);
    };
    smpi([&] { return PMPI_Ibarrier(all_of(comm), duplication.messages.data()); });
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

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  const InCall call(construction_call("MPI_Comm_create", comm));
  const auto of_groups = [&](const Intercommunicator& between) {
    int rank = MPI_UNDEFINED;
    check(PMPI_Group_rank(group, &rank));
    return split(between, rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, rank);
  };
  const int code =
      constructed(comm, newcomm, of_groups, [&] { return PMPI_Comm_create(comm, group, newcomm); });
  return answered("MPI_Comm_create", made_from(comm, code, newcomm), comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  const InCall call(construction_call("MPI_Comm_dup", comm));
  return answered("MPI_Comm_dup", made_from(comm, duplicated(comm, newcomm), newcomm), comm);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  const InCall call(construction_call("MPI_Comm_dup_with_info", comm));
  const int code = constructed(
      comm, newcomm,
      [&](const auto& between) {
        const MPI_Comm copy = duplicate(comm, between);
        check(PMPI_Comm_set_info(copy, info));
        return copy;
      },
      [&] { return PMPI_Comm_dup_with_info(comm, info, newcomm); });
  return answered("MPI_Comm_dup_with_info", made_from(comm, code, newcomm), comm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  refuse_intercommunicator("MPI_Comm_create_group", comm);
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
  const InCall call(construction_call("MPI_Comm_split", comm));
  const int code = constructed(
      comm, comm_out, [&](const auto& between) { return split(between, color, key); },
      [&] { return PMPI_Comm_split(comm, color, key, comm_out); });
  return answered("MPI_Comm_split", made_from(comm, code, comm_out), comm);
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

/// Says what processes of a part share: a machine, which MPI_COMM_TYPE_HW_GUIDED takes, or less.
void name_part(MPI_Comm comm, MPI_Info info) {
  const std::vector<int> ranks = world_ranks_of(comm);
  const auto is_here = [](int rank) { return process(rank).node == this_process().node; };
  const bool is_less = std::all_of(ranks.begin(), ranks.end(), is_here);
  if (info != MPI_INFO_NULL)
    PMPI_Info_set(info, "mpi_hw_resource_type", is_less ? "part_of_node" : "mpi_shared_memory");
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
  const int code = PMPI_Comm_split(comm, *color, key, newcomm);
  if (code == MPI_SUCCESS && split_type == type_unguided && *newcomm != MPI_COMM_NULL)
    name_part(comm, info);
  return call.result(made_from(comm, code, newcomm));
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

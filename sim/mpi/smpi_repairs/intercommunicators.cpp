// Intercommunicators, which SMPI does not have. One is a communicator of both groups; in SMPI each
// process has an object of its own for it, and messages meet by the numbers of communicator and
// processes. So the ranks of the object may differ from process to process: the other group comes
// first. All that sends, receives or probes goes to SMPI as it is.

#include "sim/mpi/smpi_repairs/intercommunicators.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "topology/base/narrow.hpp"

namespace simgrid::smpi {

/// Of a class of SimGrid 3.32 and 4.0 the two functions that are called here.
class Group {
 public:
  long actor(int rank) const;
  void set_mapping(long actor, int rank);
};

}  // namespace simgrid::smpi

namespace vtopo::detail::overlay {

namespace {

std::unordered_map<MPI_Comm, Intercommunicator>& known_intercommunicators() {
  static std::unordered_map<MPI_Comm, Intercommunicator> all;
  return all;
}

/// Gives a communicator that the calling process alone has the ranks of another one in that order.
void arrange(MPI_Comm comm, MPI_Comm whole, const std::vector<int>& order) {
  MPI_Group arranged = MPI_GROUP_NULL, from = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &arranged));
  check(PMPI_Comm_group(whole, &from));
  for (std::size_t i = 0; i < order.size(); ++i)
    arranged->set_mapping(from->actor(order[i]), narrow<int>(i));
  PMPI_Group_free(&from);
  PMPI_Group_free(&arranged);
}

MPI_Comm copy_of(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(PMPI_Comm_dup(comm, &copy));
  return copy;
}

/// Makes an intercommunicator of a communicator of both groups.
/// @param handle has the processes of `whole` in its order; is taken over, as the others are.
/// @param local the own group in the order that it has there.
MPI_Comm made_of(MPI_Comm handle, MPI_Comm whole, MPI_Comm local) {
  Intercommunicator made{whole, local, {}, {}};
  std::vector<int> own = world_ranks_of(local), own_places;
  std::sort(own.begin(), own.end());
  for (int place = 0; const int rank : world_ranks_of(whole))
    (std::binary_search(own.begin(), own.end(), rank) ? own_places : made.remote)
        .push_back(place++);
  made.order = made.remote;
  made.order.insert(made.order.end(), own_places.begin(), own_places.end());
  for (const MPI_Comm inner : {whole, local}) PMPI_Comm_set_errhandler(inner, MPI_ERRORS_RETURN);
  arrange(handle, whole, made.order);
  known_intercommunicators()[handle] = std::move(made);
  return handle;
}

/// Ranks in MPI_COMM_WORLD of the other group, of whose leader the own one asks.
std::vector<int> asked_of_leader(const std::vector<int>& own, MPI_Comm peer, int leader, int tag) {
  const InCall call({.name = "MPI_Intercomm_create",
                     .comm = peer,
                     .source = {leader, tag},
                     .destination = {leader, tag}});
  const auto swap = [&](const void* sent, int num_sent, void* received, int num_received) {
    check(PMPI_Sendrecv(sent, num_sent, MPI_INT, leader, tag, received, num_received, MPI_INT,
                        leader, tag, peer, MPI_STATUS_IGNORE));
  };
  const int num_own = int_size(own);
  int num_others = 0;
  swap(&num_own, 1, &num_others, 1);
  std::vector<int> others(static_cast<std::size_t>(num_others));
  swap(own.data(), num_own, others.data(), num_others);
  return others;
}

/// The same for each process of the own group.
std::vector<int> ranks_of_others(const std::vector<int>& own, MPI_Comm local, int local_leader,
                                 MPI_Comm peer, int remote_leader, int tag) {
  int rank = 0;
  check(PMPI_Comm_rank(local, &rank));
  std::vector<int> others;
  int size = 0;  // or an error, negative
  if (rank == local_leader) {
    const auto ask = [&] { others = asked_of_leader(own, peer, remote_leader, tag); };
    const Ending ending = ending_of(ask);
    size = ending.code == MPI_SUCCESS ? int_size(others) : -ending.code;
  }
  check(PMPI_Bcast(&size, 1, MPI_INT, local_leader, local));
  if (size < 0) throw SmpiFailure{-size};
  others.resize(static_cast<std::size_t>(size));
  check(PMPI_Bcast(others.data(), size, MPI_INT, local_leader, local));
  return others;
}

/// A communicator of processes of another one, which call this.
MPI_Comm communicator_of(MPI_Comm comm, const std::vector<int>& ranks) {
  MPI_Group all = MPI_GROUP_NULL, chosen = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  check(PMPI_Comm_group(comm, &all));
  check(PMPI_Group_incl(all, int_size(ranks), ranks.data(), &chosen));
  check(PMPI_Comm_create_group(comm, chosen, 0, &made));
  PMPI_Group_free(&chosen);
  PMPI_Group_free(&all);
  return made;
}

MPI_Comm create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag) {
  std::vector<int> first = world_ranks_of(local);
  if (local_leader < 0 || local_leader >= int_size(first)) throw SmpiFailure{MPI_ERR_RANK};
  std::vector<int> ranks(first.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> second = ranks_of_others(first, local, local_leader, peer, remote_leader, tag);
  if (std::find_first_of(first.begin(), first.end(), second.begin(), second.end()) != first.end())
    throw SmpiFailure{MPI_ERR_COMM};  // a process cannot be in both
  if (second.front() < first.front()) std::swap(first, second);
  first.insert(first.end(), second.begin(), second.end());
  const MPI_Comm whole = communicator_of(MPI_COMM_WORLD, first);
  const MPI_Comm made = made_of(copy_of(whole), whole, communicator_of(local, ranks));
  inherit_error_handler(local, made);
  return made;
}

/// What MPI_Comm_free and MPI_Comm_disconnect do.
int release(const char* name, int (*free_function)(MPI_Comm*), MPI_Comm* comm) {
  const auto found =
      comm == nullptr ? known_intercommunicators().end() : known_intercommunicators().find(*comm);
  if (found == known_intercommunicators().end()) return answered(name, free_function(comm));
  const int code = free_function(comm);
  PMPI_Comm_free(&found->second.whole);
  PMPI_Comm_free(&found->second.local);
  known_intercommunicators().erase(found);
  return answered(name, code);
}

/// The communicator of the own group.
MPI_Comm own_part(MPI_Comm comm) {
  const Intercommunicator* const between = intercommunicator(comm);
  return between == nullptr ? comm : between->local;
}

}  // namespace

const Intercommunicator* intercommunicator(MPI_Comm comm) {
  if (known_intercommunicators().empty()) return nullptr;
  const auto found = known_intercommunicators().find(comm);
  return found == known_intercommunicators().end() ? nullptr : &found->second;
}

void refuse_intercommunicator(std::string_view function, MPI_Comm comm) {
  if (intercommunicator(comm) != nullptr)
    end_in_absence(fmt::format("{} on an intercommunicator", function));
}

MPI_Comm duplicate(MPI_Comm comm, const Intercommunicator& between) {
  std::vector<int> straight(between.order.size());
  std::iota(straight.begin(), straight.end(), 0);
  arrange(comm, between.whole, straight);
  const MPI_Comm copy = copy_of(comm);
  arrange(comm, between.whole, between.order);
  const MPI_Comm whole = copy_of(between.whole);
  return made_of(copy, whole, copy_of(between.local));
}

MPI_Comm split(const Intercommunicator& between, int color, int key) {
  MPI_Comm whole = MPI_COMM_NULL, local = MPI_COMM_NULL;
  check(PMPI_Comm_split(between.whole, color, key, &whole));
  check(PMPI_Comm_split(between.local, color, key, &local));
  if (whole == MPI_COMM_NULL) return MPI_COMM_NULL;
  int all = 0, own = 0;
  PMPI_Comm_size(whole, &all);
  PMPI_Comm_size(local, &own);
  if (all > own) return made_of(copy_of(whole), whole, local);
  PMPI_Comm_free(&whole);  // none of the other group
  PMPI_Comm_free(&local);
  return MPI_COMM_NULL;
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                         int remote_leader, int tag, MPI_Comm* comm_out) {
  const InCall call(collective_call("MPI_Intercomm_create", local_comm));
  if (local_comm == MPI_COMM_NULL) return call.result(MPI_ERR_COMM);
  if (comm_out == nullptr) return call.result(MPI_ERR_ARG);
  return mpi_function(local_comm, [&] {
    *comm_out = create(local_comm, local_leader, peer_comm, remote_leader, tag);
  });
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* comm_out) {
  const Intercommunicator* const between = intercommunicator(comm);
  if (between == nullptr) return answered("MPI_Intercomm_merge", MPI_ERR_COMM, comm);
  const InCall call(collective_call("MPI_Intercomm_merge", between->whole));
  return mpi_function(comm, [&] {
    check(PMPI_Comm_split(between->whole, 0, high != 0 ? 1 : 0, comm_out));
    inherit_error_handler(comm, *comm_out);
  });
}

int MPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  const int code = PMPI_Comm_test_inter(comm, flag);
  if (code == MPI_SUCCESS && intercommunicator(comm) != nullptr) *flag = 1;
  return answered("MPI_Comm_test_inter", code, comm);
}

int MPI_Comm_remote_size(MPI_Comm comm, int* size) {
  const Intercommunicator* const between = intercommunicator(comm);
  if (between == nullptr) return answered("MPI_Comm_remote_size", MPI_ERR_COMM, comm);
  if (size == nullptr) return answered("MPI_Comm_remote_size", MPI_ERR_ARG, comm);
  *size = vtopo::detail::int_size(between->remote);
  return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  const Intercommunicator* const between = intercommunicator(comm);
  if (between == nullptr) return answered("MPI_Comm_remote_group", MPI_ERR_COMM, comm);
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(between->whole, &all);
  const int code =
      PMPI_Group_incl(all, vtopo::detail::int_size(between->remote), between->remote.data(), group);
  PMPI_Group_free(&all);
  return answered("MPI_Comm_remote_group", code, comm);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  return answered("MPI_Comm_rank", PMPI_Comm_rank(own_part(comm), rank), comm);
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  return answered("MPI_Comm_size", PMPI_Comm_size(own_part(comm), size), comm);
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  return answered("MPI_Comm_group", PMPI_Comm_group(own_part(comm), group), comm);
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  int own = MPI_IDENT;
  int code = PMPI_Comm_compare(comm1, comm2, result);
  const bool is_one = intercommunicator(comm1) != nullptr;
  if (code == MPI_SUCCESS && is_one)
    code = PMPI_Comm_compare(own_part(comm1), own_part(comm2), &own);
  if (code == MPI_SUCCESS &&
      (own == MPI_UNEQUAL || is_one != (intercommunicator(comm2) != nullptr)))
    *result = MPI_UNEQUAL;
  return answered("MPI_Comm_compare", code, comm1);
}

int MPI_Comm_free(MPI_Comm* comm) {
  return release("MPI_Comm_free", PMPI_Comm_free, comm);
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  return release("MPI_Comm_disconnect", PMPI_Comm_disconnect, comm);
}

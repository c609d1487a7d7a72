// Collective functions that block. In a group they go to SMPI unchanged, and a deadlock is reported
// by them; between the groups of an intercommunicator they are made here, of messages and of
// collectives in the groups.

#include <functional>
#include <numeric>
#include <vector>

#include "sim/mpi/smpi_repairs/datatypes.hpp"
#include "sim/mpi/smpi_repairs/intercommunicators.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// MPI_ROOT of vtopo_mpi.h: the calling process is the root. (SMPI's is 0, which is also a rank.)
constexpr int own_root = -777;

/// A rank that is given as root.
int checked_root(const Intercommunicator& between, int root) {
  if (root < 0 || root >= static_cast<int>(between.remote.size())) throw SmpiFailure{MPI_ERR_ROOT};
  return root;
}

bool is_first(const Intercommunicator& between) {
  int rank = 0;
  check(PMPI_Comm_rank(between.local, &rank));
  return rank == 0;
}

using Parts = std::vector<Part>;

/// A part of a buffer for each process of the other group.
/// @param place_of elements before the part.
template <class Count, class Place>
Parts parts_of(const Intercommunicator& between, const void* data, MPI_Datatype type,
               Count count_of, Place place_of) {
  if (type == MPI_DATATYPE_NULL) throw SmpiFailure{MPI_ERR_TYPE};
  const MPI_Aint extent = reach_of(type).extent();
  Parts parts;
  for (int rank = 0; rank < static_cast<int>(between.remote.size()); ++rank)
    parts.push_back(
        {rank, static_cast<const char*>(data) + place_of(rank) * extent, count_of(rank), type});
  return parts;
}

/// One after the other.
Parts equal_parts(const Intercommunicator& between, const void* data, int count,
                  MPI_Datatype type) {
  return parts_of(
      between, data, type, [=](int) { return count; },
      [=](int rank) { return MPI_Aint{rank} * count; });
}

Parts listed_parts(const Intercommunicator& between, const void* data, const int* counts,
                   const int* places, MPI_Datatype type) {
  return parts_of(
      between, data, type, [=](int rank) { return counts[rank]; },
      [=](int rank) { return MPI_Aint{places[rank]}; });
}

/// Of MPI_Alltoallw, whose places are in bytes.
Parts typed_parts(const Intercommunicator& between, const void* data, const int* counts,
                  const int* places, const MPI_Datatype* types) {
  Parts parts = listed_parts(between, data, counts, places, MPI_BYTE);
  for (Part& part : parts) part.type = types[part.rank];
  return parts;
}

/// The same for all.
Parts copies_of(const Intercommunicator& between, const void* data, int count, MPI_Datatype type) {
  return parts_of(
      between, data, type, [=](int) { return count; }, [](int) { return MPI_Aint{0}; });
}

void to_root(const Intercommunicator& between, int root, const Part& own,
             const std::function<Parts()>& received) {
  if (root == own_root)
    exchange(between, {}, received());
  else if (root != MPI_PROC_NULL)
    exchange(between, {{checked_root(between, root), own.data, own.count, own.type}}, {});
}

void from_root(const Intercommunicator& between, int root, const std::function<Parts()>& sent,
               const Part& own) {
  if (root == own_root)
    exchange(between, sent(), {});
  else if (root != MPI_PROC_NULL)
    exchange(between, {}, {{checked_root(between, root), own.data, own.count, own.type}});
}

/// By way of the first process of the other group.
void broadcast(const Intercommunicator& between, void* data, int count, MPI_Datatype type,
               int root) {
  if (root == own_root) exchange(between, {{0, data, count, type}}, {});
  if (root == own_root || root == MPI_PROC_NULL) return;
  if (checked_root(between, root) >= 0 && is_first(between))
    exchange(between, {}, {{root, data, count, type}});
  check(PMPI_Bcast(data, count, type, 0, between.local));
}

}  // namespace

namespace vtopo::detail::overlay {

void exchange(const Intercommunicator& between, const std::vector<Part>& sent,
              const std::vector<Part>& received) {
  std::vector<MPI_Request> requests;
  const auto place_of = [&](const Part& part) {
    return between.remote[static_cast<std::size_t>(part.rank)];
  };
  for (const Part& part : received)
    check(PMPI_Irecv(const_cast<void*>(part.data), part.count, part.type, place_of(part), 0,
                     between.whole, &requests.emplace_back()));
  for (const Part& part : sent)
    check(PMPI_Isend(part.data, part.count, part.type, place_of(part), 0, between.whole,
                     &requests.emplace_back()));
  check(PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

void reduce(const Intercommunicator& between, const void* sendbuf, void* recvbuf, int count,
            MPI_Datatype type, MPI_Op op, int root) {
  if (root == own_root) exchange(between, {}, {{0, recvbuf, count, type}});
  if (root == own_root || root == MPI_PROC_NULL) return;
  checked_root(between, root);
  Elements own(count, type);
  check(MPI_Reduce(sendbuf, own.address(), count, type, op, 0, between.local));
  if (is_first(between)) exchange(between, {{root, own.address(), count, type}}, {});
}

void allreduce(const Intercommunicator& between, const void* sendbuf, void* recvbuf, int count,
               MPI_Datatype type, MPI_Op op) {
  Elements own(count, type);
  check(MPI_Reduce(sendbuf, own.address(), count, type, op, 0, between.local));
  if (is_first(between))
    exchange(between, {{0, own.address(), count, type}}, {{0, recvbuf, count, type}});
  check(PMPI_Bcast(recvbuf, count, type, 0, between.local));
}

void reduce_scatter(const Intercommunicator& between, const void* sendbuf, void* recvbuf,
                    std::span<const int> counts, MPI_Datatype type, MPI_Op op) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  const int count = places.back() + counts.back();
  Elements own(count, type), others(count, type);
  check(MPI_Reduce(sendbuf, own.address(), count, type, op, 0, between.local));
  if (is_first(between))
    exchange(between, {{0, own.address(), count, type}}, {{0, others.address(), count, type}});
  int rank = 0;
  check(PMPI_Comm_rank(between.local, &rank));
  check(PMPI_Scatterv(others.address(), counts.data(), places.data(), type, recvbuf,
                      counts[static_cast<std::size_t>(rank)], type, 0, between.local));
}

}  // namespace vtopo::detail::overlay

// Each in a group, and between two.
#define VTOPO_PARTS(...) __VA_ARGS__
#define VTOPO_COLLECTIVE(Name, parameters, arguments, between_groups)      \
  int MPI_##Name(VTOPO_PARTS parameters, MPI_Comm comm) {                  \
    if (const Intercommunicator* const groups = intercommunicator(comm)) { \
      const Intercommunicator& between = *groups;                          \
      const InCall call(collective_call("MPI_" #Name, between.whole));     \
      return mpi_function(comm, [&] { between_groups; });                  \
    }                                                                      \
    const InCall call(collective_call("MPI_" #Name, comm));                \
    return call.result(PMPI_##Name(VTOPO_PARTS arguments, comm));          \
  }
#define VTOPO_SENT const void *sendbuf, int sendcount, MPI_Datatype sendtype
#define VTOPO_RECEIVED void *recvbuf, int recvcount, MPI_Datatype recvtype
#define VTOPO_SENT_PARTS \
  const void *sendbuf, const int *sendcounts, const int *senddisps, MPI_Datatype sendtype
#define VTOPO_RECEIVED_PARTS \
  void *recvbuf, const int *recvcounts, const int *recvdisps, MPI_Datatype recvtype
VTOPO_COLLECTIVE(Bcast, (void* buf, int count, MPI_Datatype datatype, int root),
                 (buf, count, datatype, root), broadcast(between, buf, count, datatype, root))
VTOPO_COLLECTIVE(Gather, (VTOPO_SENT, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                 to_root(between, root, {0, sendbuf, sendcount, sendtype},
                         [&] { return equal_parts(between, recvbuf, recvcount, recvtype); }))
VTOPO_COLLECTIVE(Gatherv, (VTOPO_SENT, VTOPO_RECEIVED_PARTS, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdisps, recvtype, root),
                 to_root(between, root, {0, sendbuf, sendcount, sendtype}, [&] {
                   return listed_parts(between, recvbuf, recvcounts, recvdisps, recvtype);
                 }))
VTOPO_COLLECTIVE(Allgather, (VTOPO_SENT, VTOPO_RECEIVED),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                 exchange(between, copies_of(between, sendbuf, sendcount, sendtype),
                          equal_parts(between, recvbuf, recvcount, recvtype)))
VTOPO_COLLECTIVE(Allgatherv, (VTOPO_SENT, VTOPO_RECEIVED_PARTS),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdisps, recvtype),
                 exchange(between, copies_of(between, sendbuf, sendcount, sendtype),
                          listed_parts(between, recvbuf, recvcounts, recvdisps, recvtype)))
VTOPO_COLLECTIVE(Scatter, (VTOPO_SENT, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                 from_root(between, root,
                           [&] { return equal_parts(between, sendbuf, sendcount, sendtype); },
                           {0, recvbuf, recvcount, recvtype}))
VTOPO_COLLECTIVE(Scatterv, (VTOPO_SENT_PARTS, VTOPO_RECEIVED, int root),
                 (sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcount, recvtype, root),
                 from_root(between, root,
                           [&] {
                             return listed_parts(between, sendbuf, sendcounts, senddisps, sendtype);
                           },
                           {0, recvbuf, recvcount, recvtype}))
VTOPO_COLLECTIVE(Alltoall, (VTOPO_SENT, VTOPO_RECEIVED),
                 (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
                 exchange(between, equal_parts(between, sendbuf, sendcount, sendtype),
                          equal_parts(between, recvbuf, recvcount, recvtype)))
VTOPO_COLLECTIVE(Alltoallv, (VTOPO_SENT_PARTS, VTOPO_RECEIVED_PARTS),
                 (sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts, recvdisps,
                  recvtype),
                 exchange(between, listed_parts(between, sendbuf, sendcounts, senddisps, sendtype),
                          listed_parts(between, recvbuf, recvcounts, recvdisps, recvtype)))
VTOPO_COLLECTIVE(Alltoallw,
                 (const void* sendbuf, const int* sendcounts, const int* senddisps,
                  const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                  const int* recvdisps, const MPI_Datatype* recvtypes),
                 (sendbuf, sendcounts, senddisps, sendtypes, recvbuf, recvcounts, recvdisps,
                  recvtypes),
                 exchange(between, typed_parts(between, sendbuf, sendcounts, senddisps, sendtypes),
                          typed_parts(between, recvbuf, recvcounts, recvdisps, recvtypes)))
#undef VTOPO_RECEIVED_PARTS
#undef VTOPO_SENT_PARTS
#undef VTOPO_RECEIVED
#undef VTOPO_SENT
#undef VTOPO_COLLECTIVE
#undef VTOPO_PARTS

int MPI_Barrier(MPI_Comm comm) {
  const InCall call(collective_call("MPI_Barrier", all_of(comm)));
  return call.result(PMPI_Barrier(all_of(comm)));
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return answered("MPI_Ibarrier", PMPI_Ibarrier(all_of(comm), request), comm);
}

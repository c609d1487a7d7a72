// Neighbourhood collectives: blocking, non-blocking (MPI_I...) and persistent (..._init). The
// arguments become blocks of the buffers, the blocks messages.

#include <string>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/collective_request.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/neighbour_messages.hpp"
#include "sim/mpi/open_calls.hpp"

#include <smpi/mpi.h>

#pragma GCC visibility push(default)
#include "sim/mpi/vtopo_mpi.h"
#pragma GCC visibility pop

using namespace vtopo::detail::overlay;

namespace {

/// How a collective ends: at once, with a request, or with one that is started later.
enum class Completion { blocking, nonblocking, persistent };

/// Runs a collective.
/// @param blocks_for makes the blocks for numbers of sources and destinations.
template <class BlocksFor>
int collective(const char* name, MPI_Comm comm, Completion completion, MPI_Request* handle,
               BlocksFor blocks_for) {
  const std::string full_name = fmt::format("MPI_N{}", name + 1);  // lives as long as the call
  const auto body = [&] {
    const Uncharged own_time;
    const InCall call(OpenCall{.name = full_name});
    const Peers& peers = peers_of(comm, name);
    CollectiveRequest request;
    const auto times = times_of(comm);
    const TimedCall timed(times);
    const Blocks blocks = blocks_for(peers.sources.size(), peers.destinations.size());
    if (completion != Completion::blocking && handle == nullptr)
      throw ArgumentError(MPI_ERR_ARG, "request is null: accepted is a pointer");
    request.comm = comm;
    request.persistent = completion == Completion::persistent;
    request.active = !request.persistent;
    request.copies = local_copies(peers, blocks);
    if (request.active) run(request.copies);
    request.messages =
        request.persistent ? prepare_messages(peers, blocks) : begin_messages(peers, blocks);
    request.done.assign(request.messages.size(), 0);
    if (request.active && times) ++times->calls;
    if (completion == Completion::blocking) {
      wait_for(request);
    } else {
      request.times = times;
      *handle = make_request(std::move(request));
    }
  };
  return mpi_function(comm, body, full_name);
}

int allgather(Completion completion, MPI_Request* handle, MPI_Comm comm, const EqualBlocks& sent,
              const EqualBlocks& received) {
  return collective("neighbor_allgather", comm, completion, handle,
                    [&](std::size_t sources, std::size_t destinations) {
                      return Blocks{one_block(sent, destinations), blocks_of(received, sources)};
                    });
}

int allgatherv(Completion completion, MPI_Request* handle, MPI_Comm comm, const EqualBlocks& sent,
               const ListedBlocks& received) {
  return collective("neighbor_allgatherv", comm, completion, handle,
                    [&](std::size_t sources, std::size_t destinations) {
                      return Blocks{one_block(sent, destinations), blocks_of(received, sources)};
                    });
}

/// MPI_Neighbor_alltoall, alltoallv and alltoallw.
template <class Side>
int alltoall(const char* name, Completion completion, MPI_Request* handle, MPI_Comm comm,
             const Side& sent, const Side& received) {
  return collective(name, comm, completion, handle,
                    [&](std::size_t sources, std::size_t destinations) {
                      return Blocks{blocks_of(sent, destinations), blocks_of(received, sources)};
                    });
}

constexpr auto blocking = Completion::blocking;
constexpr auto nonblocking = Completion::nonblocking;
constexpr auto persistent = Completion::persistent;

}  // namespace

int MPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return allgather(blocking, nullptr, comm, {sendbuf, sendcount, sendtype},
                   {recvbuf, recvcount, recvtype});
}

int MPI_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request* request) {
  return allgather(nonblocking, request, comm, {sendbuf, sendcount, sendtype},
                   {recvbuf, recvcount, recvtype});
}

int MPI_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info, MPI_Request* request) {
  return allgather(persistent, request, comm, {sendbuf, sendcount, sendtype},
                   {recvbuf, recvcount, recvtype});
}

int MPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int* recvcounts, const int* displs,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  return allgatherv(blocking, nullptr, comm, {sendbuf, sendcount, sendtype},
                    {recvbuf, recvcounts, displs, recvtype});
}

int MPI_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const int* recvcounts, const int* displs,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return allgatherv(nonblocking, request, comm, {sendbuf, sendcount, sendtype},
                    {recvbuf, recvcounts, displs, recvtype});
}

int MPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int* recvcounts, const int* displs,
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info,
                                 MPI_Request* request) {
  return allgatherv(persistent, request, comm, {sendbuf, sendcount, sendtype},
                    {recvbuf, recvcounts, displs, recvtype});
}

int MPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return alltoall<EqualBlocks>("neighbor_alltoall", blocking, nullptr, comm,
                               {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
}

int MPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                           MPI_Request* request) {
  return alltoall<EqualBlocks>("neighbor_alltoall", nonblocking, request, comm,
                               {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
}

int MPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Info, MPI_Request* request) {
  return alltoall<EqualBlocks>("neighbor_alltoall", persistent, request, comm,
                               {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
}

int MPI_Neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* senddisps,
                           MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                           const int* recvdisps, MPI_Datatype recvtype, MPI_Comm comm) {
  return alltoall<ListedBlocks>("neighbor_alltoallv", blocking, nullptr, comm,
                                {sendbuf, sendcounts, senddisps, sendtype},
                                {recvbuf, recvcounts, recvdisps, recvtype});
}

int MPI_Ineighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* senddisps,
                            MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                            const int* recvdisps, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request* request) {
  return alltoall<ListedBlocks>("neighbor_alltoallv", nonblocking, request, comm,
                                {sendbuf, sendcounts, senddisps, sendtype},
                                {recvbuf, recvcounts, recvdisps, recvtype});
}

int MPI_Neighbor_alltoallv_init(const void* sendbuf, const int* sendcounts, const int* senddisps,
                                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                                const int* recvdisps, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info, MPI_Request* request) {
  return alltoall<ListedBlocks>("neighbor_alltoallv", persistent, request, comm,
                                {sendbuf, sendcounts, senddisps, sendtype},
                                {recvbuf, recvcounts, recvdisps, recvtype});
}

int MPI_Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* senddisps,
                           const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                           const MPI_Aint* recvdisps, const MPI_Datatype* recvtypes,
                           MPI_Comm comm) {
  return alltoall<TypedBlocks>("neighbor_alltoallw", blocking, nullptr, comm,
                               {sendbuf, sendcounts, senddisps, sendtypes},
                               {recvbuf, recvcounts, recvdisps, recvtypes});
}

int MPI_Ineighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* senddisps,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* recvdisps, const MPI_Datatype* recvtypes, MPI_Comm comm,
                            MPI_Request* request) {
  return alltoall<TypedBlocks>("neighbor_alltoallw", nonblocking, request, comm,
                               {sendbuf, sendcounts, senddisps, sendtypes},
                               {recvbuf, recvcounts, recvdisps, recvtypes});
}

int MPI_Neighbor_alltoallw_init(const void* sendbuf, const int* sendcounts,
                                const MPI_Aint* senddisps, const MPI_Datatype* sendtypes,
                                void* recvbuf, const int* recvcounts, const MPI_Aint* recvdisps,
                                const MPI_Datatype* recvtypes, MPI_Comm comm, MPI_Info,
                                MPI_Request* request) {
  return alltoall<TypedBlocks>("neighbor_alltoallw", persistent, request, comm,
                               {sendbuf, sendcounts, senddisps, sendtypes},
                               {recvbuf, recvcounts, recvdisps, recvtypes});
}

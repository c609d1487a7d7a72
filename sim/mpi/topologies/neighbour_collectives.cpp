// Neighbourhood collectives: blocking, non-blocking (MPI_I...) and persistent (..._init). The
// arguments become blocks of the buffers, the blocks messages.

#include <string>
#include <vector>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"

#include <smpi/mpi.h>

#pragma GCC visibility push(default)
#include "sim/mpi/vtopo_mpi.h"
#pragma GCC visibility pop

using namespace vtopo::detail::overlay;

namespace {

/// Part of a buffer that goes to or comes from one neighbour.
struct Block {
  char* address = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The parts of both buffers, in the order of the neighbours.
struct Blocks {
  std::vector<Block> sent;
  std::vector<Block> received;
};

/// One side of a call with the same count and type for all neighbours.
struct EqualBlocks {
  const void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// One side of a call with counts and displacements, in units of the extent.
struct ListedBlocks {
  const void* buffer = nullptr;
  const int* counts = nullptr;
  const int* displacements = nullptr;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// One side of a call with counts, displacements in bytes, and types.
struct TypedBlocks {
  const void* buffer = nullptr;
  const int* counts = nullptr;
  const MPI_Aint* displacements = nullptr;
  const MPI_Datatype* types = nullptr;
};

void check_buffer(const void* buffer) {
  if (buffer == MPI_IN_PLACE)
    throw ArgumentError(MPI_ERR_BUFFER,
                        "MPI_IN_PLACE in a neighbourhood collective: accepted are buffers");
}

void check_lists(const void* counts, const void* displacements, std::size_t count) {
  if (count > 0 && (counts == nullptr || displacements == nullptr))
    throw ArgumentError(MPI_ERR_ARG, fmt::format("a null array of counts or displacements for {} "
                                                 "neighbours: accepted are arrays",
                                                 count));
}

void check_block(int count, MPI_Datatype type) {
  if (count < 0)
    throw ArgumentError(MPI_ERR_COUNT, fmt::format("count {}: accepted are 0 or more", count));
  if (type == MPI_DATATYPE_NULL || type == nullptr)
    throw ArgumentError(MPI_ERR_TYPE, "a null datatype: accepted is a datatype");
}

/// Address `offset` bytes behind the buffer's start; MPI_BOTTOM is address 0.
char* at(const void* buffer, MPI_Aint offset) {
  auto* start = buffer == MPI_BOTTOM ? nullptr : static_cast<char*>(const_cast<void*>(buffer));
  return start + offset;
}

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint bound = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &bound, &extent);
  return extent;
}

MPI_Aint bytes_of(const Block& block) {
  int size = 0;
  PMPI_Type_size(block.type, &size);
  return static_cast<MPI_Aint>(block.count) * size;
}

/// Requests of the messages to and from others, receptions first: calls `receive` and `send` for
/// each that there is, none for MPI_PROC_NULL. An Uncharged lives.
template <class Receive, class Send>
std::vector<MPI_Request> requests_of(const Peers& peers, const Blocks& blocks, Receive receive,
                                     Send send) {
  const MPI_Comm comm = this_process().messages;
  const int self = world_rank();
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < peers.sources.size(); ++i) {
    const auto [rank, tag] = peers.sources[i];
    if (rank == MPI_PROC_NULL || rank == self) continue;
    MPI_Request& request = requests.emplace_back(MPI_REQUEST_NULL);
    const Block& block = blocks.received[i];
    smpi([&, source = rank, its_tag = tag] {
      return receive(block.address, block.count, block.type, source, its_tag, comm, &request);
    });
  }
  for (std::size_t i = 0; i < peers.destinations.size(); ++i) {
    const auto [rank, tag] = peers.destinations[i];
    if (rank == MPI_PROC_NULL || rank == self) continue;
    MPI_Request& request = requests.emplace_back(MPI_REQUEST_NULL);
    const Block& block = blocks.sent[i];
    smpi([&, destination = rank, its_tag = tag] {
      return send(block.address, block.count, block.type, destination, its_tag, comm, &request);
    });
  }
  return requests;
}

/// The same block for each of `count` neighbours.
/// @throws ArgumentError (MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER), as the following.
std::vector<Block> one_block(const EqualBlocks& side, std::size_t count) {
  check_buffer(side.buffer);
  check_block(side.count, side.type);
  return std::vector<Block>(count, {at(side.buffer, 0), side.count, side.type});
}

/// Blocks one behind the other.
std::vector<Block> blocks_of(const EqualBlocks& side, std::size_t count) {
  check_buffer(side.buffer);
  check_block(side.count, side.type);
  const MPI_Aint step = side.count * extent_of(side.type);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < count; ++i)
    blocks.push_back({at(side.buffer, static_cast<MPI_Aint>(i) * step), side.count, side.type});
  return blocks;
}

std::vector<Block> blocks_of(const ListedBlocks& side, std::size_t count) {
  check_buffer(side.buffer);
  check_block(0, side.type);
  check_lists(side.counts, side.displacements, count);
  const MPI_Aint extent = extent_of(side.type);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    check_block(side.counts[i], side.type);
    blocks.push_back({at(side.buffer, side.displacements[i] * extent), side.counts[i], side.type});
  }
  return blocks;
}

std::vector<Block> blocks_of(const TypedBlocks& side, std::size_t count) {
  check_buffer(side.buffer);
  check_lists(side.counts, side.displacements, count);
  check_lists(side.types, side.types, count);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    check_block(side.counts[i], side.types[i]);
    blocks.push_back({at(side.buffer, side.displacements[i]), side.counts[i], side.types[i]});
  }
  return blocks;
}

/// What a process sends to itself: copied, for not every platform has a way from a host to itself.
struct LocalCopy {
  Block from;
  Block to;
};

/// Pairs each block that the calling process sends to itself with the one that receives it.
/// @throws ArgumentError (MPI_ERR_TRUNCATE) if it is larger.
std::vector<LocalCopy> local_copies(const Peers& peers, const Blocks& blocks) {
  const int self = world_rank();
  std::vector<LocalCopy> copies;
  std::vector<char> taken(peers.sources.size());
  for (std::size_t d = 0; d < peers.destinations.size(); ++d) {
    if (peers.destinations[d].world_rank != self) continue;
    for (std::size_t s = 0; s < peers.sources.size(); ++s) {
      if (taken[s] || peers.sources[s].world_rank != self ||
          peers.sources[s].tag != peers.destinations[d].tag)
        continue;
      taken[s] = 1;
      copies.push_back({blocks.sent[d], blocks.received[s]});
      if (bytes_of(blocks.sent[d]) > bytes_of(blocks.received[s]))
        throw ArgumentError(MPI_ERR_TRUNCATE,
                            "a block to the process itself is larger than the one that receives "
                            "it: accepted are blocks that fit");
      break;
    }
  }
  return copies;
}

/// Copies, with the types of both sides.
void run(const std::vector<LocalCopy>& copies) {
  for (const auto& [from, to] : copies) {
    std::vector<char> packed(static_cast<std::size_t>(bytes_of(from)));
    const int size = static_cast<int>(packed.size());
    if (size == 0) continue;
    int position = 0;
    smpi([&, &source = from] {
      return PMPI_Pack(source.address, source.count, source.type, packed.data(), size, &position,
                       MPI_COMM_SELF);
    });
    int unit = 0;
    PMPI_Type_size(to.type, &unit);
    position = 0;
    smpi([&, &target = to] {
      return PMPI_Unpack(packed.data(), size, &position, target.address, size / unit, target.type,
                         MPI_COMM_SELF);
    });
  }
}

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
    request.at_start = [copies = local_copies(peers, blocks)] { run(copies); };
    if (request.active) request.at_start();
    request.messages = request.persistent
                           ? requests_of(peers, blocks, PMPI_Recv_init, PMPI_Send_init)
                           : requests_of(peers, blocks, PMPI_Irecv, PMPI_Isend);
    request.done.assign(request.messages.size(), 0);
    if (request.active && times) ++times->calls;
    if (completion == Completion::blocking) {
      wait_for(request);
    } else {
      request.times = times;
      *handle = make_request(std::move(request));
    }
  };
  return topology_function(comm, body, full_name);
}

/// MPI_Neighbor_allgather and allgatherv.
template <class Side>
int allgather(const char* name, Completion completion, MPI_Request* handle, MPI_Comm comm,
              const EqualBlocks& sent, const Side& received) {
  return collective(name, comm, completion, handle,
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

}  // namespace

// The three functions of a collective.
#define VTOPO_PARTS(...) __VA_ARGS__
#define VTOPO_NEIGHBOUR_COLLECTIVE(name, body, Side, parameters, sent, received)                  \
  int MPI_Neighbor_##name(VTOPO_PARTS parameters, MPI_Comm comm) {                                \
    return body<Side>("neighbor_" #name, Completion::blocking, nullptr, comm, {VTOPO_PARTS sent}, \
                      {VTOPO_PARTS received});                                                    \
  }                                                                                               \
  int MPI_Ineighbor_##name(VTOPO_PARTS parameters, MPI_Comm comm, MPI_Request* request) {         \
    return body<Side>("neighbor_" #name, Completion::nonblocking, request, comm,                  \
                      {VTOPO_PARTS sent}, {VTOPO_PARTS received});                                \
  }                                                                                               \
  int MPI_Neighbor_##name##_init(VTOPO_PARTS parameters, MPI_Comm comm, MPI_Info,                 \
                                 MPI_Request* request) {                                          \
    return body<Side>("neighbor_" #name, Completion::persistent, request, comm,                   \
                      {VTOPO_PARTS sent}, {VTOPO_PARTS received});                                \
  }
VTOPO_NEIGHBOUR_COLLECTIVE(allgather, allgather, EqualBlocks,
                           (const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype),
                           (sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype))
VTOPO_NEIGHBOUR_COLLECTIVE(allgatherv, allgather, ListedBlocks,
                           (const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int* recvcounts, const int* displs,
                            MPI_Datatype recvtype),
                           (sendbuf, sendcount, sendtype), (recvbuf, recvcounts, displs, recvtype))
VTOPO_NEIGHBOUR_COLLECTIVE(alltoall, alltoall, EqualBlocks,
                           (const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype),
                           (sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype))
VTOPO_NEIGHBOUR_COLLECTIVE(alltoallv, alltoall, ListedBlocks,
                           (const void* sendbuf, const int* sendcounts, const int* senddisps,
                            MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                            const int* recvdisps, MPI_Datatype recvtype),
                           (sendbuf, sendcounts, senddisps, sendtype),
                           (recvbuf, recvcounts, recvdisps, recvtype))
VTOPO_NEIGHBOUR_COLLECTIVE(alltoallw, alltoall, TypedBlocks,
                           (const void* sendbuf, const int* sendcounts, const MPI_Aint* senddisps,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* recvdisps, const MPI_Datatype* recvtypes),
                           (sendbuf, sendcounts, senddisps, sendtypes),
                           (recvbuf, recvcounts, recvdisps, recvtypes))
#undef VTOPO_NEIGHBOUR_COLLECTIVE
#undef VTOPO_PARTS

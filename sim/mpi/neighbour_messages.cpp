#include "sim/mpi/neighbour_messages.hpp"

#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"

namespace vtopo::overlay {

namespace {

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

/// Calls `receive` and `send` for each message that there is.
template <class Receive, class Send>
std::vector<MPI_Request> requests_of(const Peers& peers, const Blocks& blocks, Receive receive,
                                     Send send) {
  const MPI_Comm comm = this_process().messages;
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < peers.sources.size(); ++i) {
    const auto [rank, tag] = peers.sources[i];
    if (rank == MPI_PROC_NULL) continue;
    MPI_Request& request = requests.emplace_back(MPI_REQUEST_NULL);
    const Block& block = blocks.received[i];
    smpi([&, rank = rank, tag = tag] {
      return receive(block.address, block.count, block.type, rank, tag, comm, &request);
    });
  }
  for (std::size_t i = 0; i < peers.destinations.size(); ++i) {
    const auto [rank, tag] = peers.destinations[i];
    if (rank == MPI_PROC_NULL) continue;
    MPI_Request& request = requests.emplace_back(MPI_REQUEST_NULL);
    const Block& block = blocks.sent[i];
    smpi([&, rank = rank, tag = tag] {
      return send(block.address, block.count, block.type, rank, tag, comm, &request);
    });
  }
  return requests;
}

}  // namespace

std::vector<Block> one_block(const EqualBlocks& side, std::size_t count) {
  check_buffer(side.buffer);
  check_block(side.count, side.type);
  return std::vector<Block>(count, {at(side.buffer, 0), side.count, side.type});
}

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

std::vector<MPI_Request> begin_messages(const Peers& peers, const Blocks& blocks) {
  return requests_of(peers, blocks, PMPI_Irecv, PMPI_Isend);
}

std::vector<MPI_Request> prepare_messages(const Peers& peers, const Blocks& blocks) {
  return requests_of(peers, blocks, PMPI_Recv_init, PMPI_Send_init);
}

}  // namespace vtopo::overlay

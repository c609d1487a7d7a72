#include "sim/mpi/neighbour_messages.hpp"

#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"

namespace vtopo::detail::overlay {

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

MPI_Aint bytes_of(const Block& block) {
  int size = 0;
  PMPI_Type_size(block.type, &size);
  return static_cast<MPI_Aint>(block.count) * size;
}

/// Calls `receive` and `send` for each message that there is.
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

std::vector<MPI_Request> begin_messages(const Peers& peers, const Blocks& blocks) {
  return requests_of(peers, blocks, PMPI_Irecv, PMPI_Isend);
}

std::vector<MPI_Request> prepare_messages(const Peers& peers, const Blocks& blocks) {
  return requests_of(peers, blocks, PMPI_Recv_init, PMPI_Send_init);
}

}  // namespace vtopo::detail::overlay

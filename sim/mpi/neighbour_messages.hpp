#pragma once

#include <span>
#include <vector>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

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

/// The same block for each of `count` neighbours.
/// @throws ArgumentError (MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER), as the following.
std::vector<Block> one_block(const EqualBlocks& side, std::size_t count);

/// Blocks one behind the other.
std::vector<Block> blocks_of(const EqualBlocks& side, std::size_t count);
std::vector<Block> blocks_of(const ListedBlocks& side, std::size_t count);
std::vector<Block> blocks_of(const TypedBlocks& side, std::size_t count);

/// What a process sends to itself: copied, for not every platform has a way from a host to itself.
struct LocalCopy {
  Block from;
  Block to;
};

/// Pairs each block that the calling process sends to itself with the one that receives it.
/// @throws ArgumentError (MPI_ERR_TRUNCATE) if it is larger.
std::vector<LocalCopy> local_copies(const Peers& peers, const Blocks& blocks);

/// Copies, with the types of both sides.
void run(const std::vector<LocalCopy>& copies);

/// Requests of the messages to and from others, receptions first, begun; or to be started later.
/// None for MPI_PROC_NULL. An Uncharged lives.
std::vector<MPI_Request> begin_messages(const Peers& peers, const Blocks& blocks);
std::vector<MPI_Request> prepare_messages(const Peers& peers, const Blocks& blocks);

}  // namespace vtopo::detail::overlay

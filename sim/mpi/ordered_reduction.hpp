#pragma once

#include <span>

#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

// Reductions whose contributions go packed where they are needed, by collectives of SMPI that only
// move data, and are combined there in the order of ranks. Arguments are those of MPI, buffers may
// be MPI_IN_PLACE; with a null request they block.
// @throws SmpiFailure, ArgumentError

/// Whose contributions a process combines.
enum class Range { all, up_to_own, before_own };

/// MPI_Iallreduce and the scans.
void reduce_to_range(Range range, const void* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                     MPI_Op op, MPI_Comm comm, MPI_Request* request);

void reduce_to_root(const void* sendbuf, void* recvbuf, int count, int root, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request);

/// @param counts elements of each process' result.
void reduce_and_scatter(const void* sendbuf, void* recvbuf, std::span<const int> counts,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request);

/// Whether a reduction that is not complete needs what the program frees. Then the handle becomes
/// null, and the last such reduction frees it.
bool is_still_needed(MPI_Op* op);
bool is_still_needed(MPI_Datatype* type);

}  // namespace vtopo::detail::overlay

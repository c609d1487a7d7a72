#pragma once

#include <span>

namespace vtopo::detail {

/// What the fixed sizes of a grid leave to its free dimensions.
struct FreeDims {
  int count = 0;      ///< number of free dimensions
  int num_ranks = 1;  ///< product of their sizes
};

/// Free dimensions of a grid of `num_ranks` ranks.
/// @param fixed one entry per dimension: its size, or 0 if it is free.
/// @throws MpiError (MPI_ERR_ARG) if num_ranks is < 1, (MPI_ERR_DIMS) if an entry is negative,
/// num_ranks is not a multiple of the product of fixed sizes, or all are fixed and the product is
/// another number; a grid of zero dimensions has 1 rank.
FreeDims free_dims(int num_ranks, std::span<const int> fixed);

}  // namespace vtopo::detail

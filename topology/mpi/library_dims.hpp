#pragma once

#include <vector>

namespace vtopo::detail {

/// Sizes that MPI_Dims_create of MPICH 4.0.2 gives to `count` >= 1 free dimensions of `number` >= 1
/// ranks, in non-increasing order: smallest spread, ties by the sequence that is the
/// lexicographically largest when read from its end; but a prime factor above the square root of
/// the number has a dimension of its own. Inferred from its answers, see the tests.
/// Not reproduced: 2147483647 in two and more dimensions, where MPICH divides by zero.
/// @throws UsageError for more than 20 dimensions, as MPICH.
std::vector<int> mpich_factors(int number, int count);

/// The same for Open MPI 4.1.4: each prime factor, the largest first, goes to the dimension that is
/// the smallest so far (Open MPI issue 7186).
std::vector<int> openmpi_factors(int number, int count);

/// The same for SMPI of SimGrid 3.32: as Open MPI before the correction of issue 7186, where the
/// search for prime factors stops one short of the square root and takes the rest for a prime.
std::vector<int> smpi_factors(int number, int count);

}  // namespace vtopo::detail

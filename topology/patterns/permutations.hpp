#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

// Permutations: entry r is whom rank r sends to. W. Dally, B. Towles, "Principles and Practices of
// Interconnection Networks", 2004, chapter 3: bits are those of the rank, digits its coordinates
// in a grid. Each throws UsageError with the reason where it does not exist.

/// Bits in reversed order.
std::vector<int> bit_reversal(int ranks);
/// Every bit flipped.
std::vector<int> bit_complement(int ranks);
/// Bits moved one place down, the lowest becomes the highest.
std::vector<int> bit_rotation(int ranks);
/// Bits moved one place up, the highest becomes the lowest: a perfect shuffle.
std::vector<int> bit_shuffle(int ranks);
/// The upper half of the bits changes places with the lower one.
std::vector<int> bit_transpose(int ranks);

/// Two coordinates change places: their dimensions have one size.
std::vector<int> grid_transpose(const Cartesian& grid, std::pair<int, int> dimensions);

/// Just short of half way around in every dimension: a coordinate of k moves ceil(k/2) - 1 up.
std::vector<int> tornado(const Cartesian& grid);

/// `offset` ranks further, around the end.
std::vector<int> rank_shift(int ranks, std::int64_t offset);

/// One of all permutations, each as likely as another.
std::vector<int> random_permutation(int ranks, std::uint64_t seed);

}  // namespace vtopo::detail

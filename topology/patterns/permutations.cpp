#include "topology/patterns/permutations.hpp"

#include <bit>
#include <numeric>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/random.hpp"
#include "topology/patterns/algorithms.hpp"

namespace vtopo::detail {

namespace {

/// Bits that number `ranks` ranks.
int bits_of(int ranks) {
  const auto count = static_cast<unsigned>(ranks);
  if (!std::has_single_bit(count))
    throw UsageError(fmt::format("{} ranks are not a power of two: the nearest are {} and {}",
                                 ranks, std::bit_floor(count), std::bit_ceil(count)));
  return std::countr_zero(count);
}

/// Bit b of the destination is bit `source_bit(b, bits)` of the source.
template <class SourceBit>
std::vector<int> by_bits(int ranks, SourceBit source_bit) {
  const int bits = bits_of(ranks);
  std::vector<int> destinations(index(ranks), 0);
  for (int r = 0; r < ranks; ++r)
    for (int b = 0; b < bits; ++b) destinations[index(r)] |= ((r >> source_bit(b, bits)) & 1) << b;
  return destinations;
}

/// `change` changes the coordinates of a rank into those of its destination.
template <class Change>
std::vector<int> by_coordinates(const Cartesian& grid, Change change) {
  std::vector<int> destinations;
  std::vector<int> coords(grid.dimensions().size());
  for (int r = 0; r < grid.num_ranks(); ++r) {
    grid.coords(Rank{r}, coords);
    change(coords);
    destinations.push_back(number(grid.rank(coords)));
  }
  return destinations;
}

}  // namespace

std::vector<int> bit_reversal(int ranks) {
  return by_bits(ranks, [](int b, int bits) { return bits - 1 - b; });
}

std::vector<int> bit_complement(int ranks) {
  std::vector<int> destinations = bit_reversal(ranks);
  for (int r = 0; r < ranks; ++r) destinations[index(r)] = ranks - 1 - r;
  return destinations;
}

std::vector<int> bit_rotation(int ranks) {
  return by_bits(ranks, [](int b, int bits) { return (b + 1) % bits; });
}

std::vector<int> bit_shuffle(int ranks) {
  return by_bits(ranks, [](int b, int bits) { return (b + bits - 1) % bits; });
}

std::vector<int> bit_transpose(int ranks) {
  if (bits_of(ranks) % 2 != 0)
    throw UsageError(fmt::format(
        "{} ranks are not a square number: a transpose swaps two halves of an even number of bits",
        ranks));
  return by_bits(ranks, [](int b, int bits) { return (b + bits / 2) % bits; });
}

std::vector<int> grid_transpose(const Cartesian& grid, std::pair<int, int> dimensions) {
  const auto sizes = grid.dimensions();
  const auto first = index(dimensions.first);
  const auto second = index(dimensions.second);
  for (const std::size_t dimension : {first, second})
    if (dimension >= sizes.size())
      throw UsageError(fmt::format("dimension {} is none of a grid of {} dimensions, 0 to {}",
                                   dimension, sizes.size(), sizes.size() - 1));
  if (sizes[first].size != sizes[second].size)
    throw UsageError(
        fmt::format("dimensions {} and {} have sizes {} and {}: a transpose needs equal ones",
                    first, second, sizes[first].size, sizes[second].size));
  return by_coordinates(
      grid, [=](std::vector<int>& coords) { std::swap(coords[first], coords[second]); });
}

std::vector<int> tornado(const Cartesian& grid) {
  return by_coordinates(grid, [&](std::vector<int>& coords) {
    for (std::size_t d = 0; d < coords.size(); ++d) {
      const int size = grid.dimensions()[d].size;
      coords[d] = collectives::modulo(std::int64_t{coords[d]} + (size + 1) / 2 - 1, size);
    }
  });
}

std::vector<int> rank_shift(int ranks, std::int64_t offset) {
  std::vector<int> destinations;
  destinations.reserve(index(ranks));
  const int step = collectives::modulo(offset, ranks);
  for (int r = 0; r < ranks; ++r)
    destinations.push_back(collectives::modulo(std::int64_t{r} + step, ranks));
  return destinations;
}

std::vector<int> random_permutation(int ranks, std::uint64_t seed) {
  std::vector<int> destinations(index(ranks));
  std::iota(destinations.begin(), destinations.end(), 0);
  Random random(seed);
  shuffle(std::span(destinations), random);
  return destinations;
}

}  // namespace vtopo::detail

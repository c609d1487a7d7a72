#include "topology/fixed_dims.hpp"

#include <cstdint>
#include <limits>

#include "topology/error.hpp"

namespace vtopo {

namespace {

constexpr std::int64_t max_int = std::numeric_limits<std::int32_t>::max();

void check_entries(int num_ranks, std::span<const int> fixed) {
  if (num_ranks < 1)
    throw UsageError(fmt::format("number of ranks {}: accepted are 1 or more", num_ranks));
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] < 0)
      throw UsageError(
          fmt::format("size {} of dimension {}: accepted are 0 (free) or more", fixed[i], i));
}

/// Product of the sizes that are not 0.
/// @throws UsageError if it does not divide `num_ranks`.
int fixed_product(int num_ranks, std::span<const int> fixed) {
  std::int64_t product = 1;
  for (const int size : fixed) {
    if (size > 0) product *= size;
    if (product > max_int)
      throw UsageError(fmt::format(
          "{} ranks are not divisible by the product of the fixed sizes, which is above "
          "2147483647",
          num_ranks));
  }
  if (num_ranks % product != 0)
    throw UsageError(fmt::format("{} ranks are not divisible by {}, the product of the fixed sizes",
                                 num_ranks, product));
  return static_cast<int>(product);
}

}  // namespace

FreeDims free_dims(int num_ranks, std::span<const int> fixed) {
  check_entries(num_ranks, fixed);
  FreeDims result{0, num_ranks / fixed_product(num_ranks, fixed)};
  for (const int size : fixed) result.count += size == 0 ? 1 : 0;
  if (result.count > 0 || result.num_ranks == 1) return result;
  if (fixed.empty())
    throw UsageError(
        fmt::format("{} ranks in a grid of zero dimensions: accepted is 1", num_ranks));
  throw UsageError(
      fmt::format("{} ranks for a grid of {}: accepted is a grid with a free dimension "
                  "or with as many ranks",
                  num_ranks, num_ranks / result.num_ranks));
}

}  // namespace vtopo

#pragma once

#include <vector>

namespace vtopo::detail {

/// What decides between products with the same spread.
enum class SpreadTie {
  smallest_maximum,  ///< lexicographically smallest, read from the largest factor down
  largest_minimum    ///< lexicographically largest, read from the smallest factor up
};

/// `number` >= 1 as a product of `count` >= 1 integers whose spread, the difference between the
/// largest and the smallest, is as small as possible; in non-increasing order.
///
/// Exact: sweeps over the largest factor and asks for the largest possible smallest one, which only
/// grows with it, so that about as many questions are asked as there are divisors.
std::vector<int> balanced_factors(int number, int count, SpreadTie tie);

}  // namespace vtopo::detail

#include "sim/research/bench/hypercube_optimum.hpp"

namespace vtopo::detail {

namespace {

std::int64_t power_of_two(int exponent) {
  return std::int64_t{1} << exponent;
}

/// Sum for the hypercube of the factor alone.
std::int64_t least_sum(const HypercubeFactor& factor) {
  const int b = factor.bits;
  const std::int64_t subtracted = power_of_two(b - 1);
  return factor.cycle ? 3 * power_of_two(2 * b - 3) - subtracted
                      : power_of_two(2 * b - 1) - subtracted;
}

}  // namespace

std::int64_t hypercube_optimum(std::span<const HypercubeFactor> factors) {
  int bits = 0;
  for (const HypercubeFactor& factor : factors) bits += factor.bits;
  std::int64_t sum = 0;
  for (const HypercubeFactor& factor : factors)
    sum += power_of_two(bits - factor.bits) * least_sum(factor);
  return sum;
}

}  // namespace vtopo::detail

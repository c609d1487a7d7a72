#include "topology/mpi/library_dims.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/mpi/balanced_factors.hpp"
#include "topology/mpi/divisors.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_dims_of_mpich = 20;

/// Whether MPICH gives a dimension to `prime` alone: if its square is above `number`. The square
/// has 32 bits there, so it may wrap around from 46341 on.
bool stands_alone_in_mpich(int prime, int number) {
  const auto square = static_cast<std::uint32_t>(prime) * static_cast<std::uint32_t>(prime);
  return static_cast<std::int32_t>(square) > number;
}

/// Factors of which those of 3 and more are sought while they are below the root of what is left.
std::vector<int> factors_below_root(int number) {
  std::vector<int> factors;
  for (; number % 2 == 0; number /= 2) factors.push_back(2);
  for (int prime = 3; static_cast<std::int64_t>(prime) * prime < number; prime += 2)
    for (; number % prime == 0; number /= prime) factors.push_back(prime);
  if (number > 1) factors.push_back(number);
  return factors;
}

/// Each factor, the largest first, to the first of the smallest products.
/// @param factors in increasing order.
std::vector<int> greedy_products(std::span<const int> factors, int count) {
  std::vector<int> products(index(count), 1);
  for (std::size_t i = factors.size(); i-- > 0;)
    *std::min_element(products.begin(), products.end()) *= factors[i];
  std::sort(products.begin(), products.end(), std::greater<>());
  return products;
}

}  // namespace

std::vector<int> mpich_factors(int number, int count) {
  if (count > max_dims_of_mpich)
    throw UsageError(
        fmt::format("{} free dimensions: MPICH accepts at most {}", count, max_dims_of_mpich));
  std::vector<int> alone;
  for (; number > 1 && count > 1; --count) {
    const int prime = prime_factors(number).back();
    if (!stands_alone_in_mpich(prime, number)) break;
    alone.push_back(prime);
    number /= prime;
  }
  auto factors = balanced_factors(number, count, SpreadTie::largest_minimum);
  factors.insert(factors.end(), alone.begin(), alone.end());
  std::sort(factors.begin(), factors.end(), std::greater<>());
  return factors;
}

std::vector<int> openmpi_factors(int number, int count) {
  return greedy_products(prime_factors(number), count);
}

std::vector<int> smpi_factors(int number, int count) {
  auto factors = factors_below_root(number);
  std::sort(factors.begin(), factors.end());
  return greedy_products(factors, count);
}

}  // namespace vtopo::detail

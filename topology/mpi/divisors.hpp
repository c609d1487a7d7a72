#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vtopo::detail {

/// Prime factors of `number` >= 1 with their multiplicity, in increasing order; none for 1.
std::vector<int> prime_factors(int number);

/// All divisors of `number` >= 1 in increasing order.
std::vector<int> divisors(int number);

/// The divisors of one number, and which of them are products of integers from a range.
class DivisorProducts {
 public:
  /// @param number >= 1.
  /// @param max_count largest number of factors that will be asked for.
  DivisorProducts(int number, int max_count);

  /// All divisors of the number in increasing order.
  std::span<const int> divisors() const { return values_; }

  /// Largest prime factor of the number; 1 if the number is 1.
  int largest_prime() const { return largest_primes_.back(); }

  /// Whether `product`, a divisor of the number, is a product of `count` integers in low..high.
  bool exists(int product, int count, int low, int high);

 private:
  bool search(std::size_t product, int count);
  bool search_factor(std::size_t product, int count);
  std::size_t position(int divisor) const;

  // One entry per divisor, in increasing order of the divisors. Codes have the exponents as digits,
  // so that the code of a quotient is a difference.
  std::vector<int> values_;
  std::vector<int> largest_primes_;
  std::vector<std::size_t> codes_;
  std::vector<std::size_t> positions_;  // of each code

  // The question at hand, and for each divisor and count the last question that it failed.
  int low_ = 1;
  int high_ = 1;
  std::vector<std::int64_t> low_powers_;
  std::vector<std::int64_t> high_powers_;
  std::uint32_t question_ = 0;
  std::vector<std::uint32_t> failed_in_;
};

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

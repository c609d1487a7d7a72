#include "topology/mpi/divisors.hpp"

#include <algorithm>
#include <limits>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t max_int = std::numeric_limits<int>::max();

/// Divisor and its code in the mixed radix of the exponents.
struct CodedDivisor {
  int value = 1;
  std::size_t code = 0;
  int largest_prime = 1;
};

/// All divisors in the order of their codes.
std::vector<CodedDivisor> coded_divisors(int number) {
  std::vector<CodedDivisor> result{{}};
  std::size_t block = 1;  // number of divisors without the prime at hand
  int previous = 1;
  for (const int prime : prime_factors(number)) {
    const std::size_t size = result.size();
    if (prime != previous) block = size;
    previous = prime;
    for (std::size_t j = size - block; j < size; ++j)
      result.push_back({result[j].value * prime, result[j].code + block, prime});
  }
  return result;
}

/// Powers 0..count of `base`; those above 2^31-1 count as 2^31.
void set_powers(std::vector<std::int64_t>& powers, int base, int count) {
  powers[0] = 1;
  for (std::size_t k = 1; k <= index(count); ++k)
    powers[k] = std::min(powers[k - 1] * base, max_int + 1);
}

}  // namespace

std::vector<int> prime_factors(int number) {
  std::vector<int> factors;
  for (int prime = 2; prime <= number / prime; prime += prime == 2 ? 1 : 2)
    for (; number % prime == 0; number /= prime) factors.push_back(prime);
  if (number > 1) factors.push_back(number);
  return factors;
}

std::vector<int> divisors(int number) {
  std::vector<int> values;
  for (const auto& divisor : coded_divisors(number)) values.push_back(divisor.value);
  std::sort(values.begin(), values.end());
  return values;
}

DivisorProducts::DivisorProducts(int number, int max_count)
    : low_powers_(index(max_count) + 1), high_powers_(index(max_count) + 1) {
  auto sorted = coded_divisors(number);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.value < b.value; });
  positions_.resize(sorted.size());
  for (const auto& divisor : sorted) {
    positions_[divisor.code] = values_.size();
    values_.push_back(divisor.value);
    codes_.push_back(divisor.code);
    largest_primes_.push_back(divisor.largest_prime);
  }
  failed_in_.resize(values_.size() * low_powers_.size());
}

std::size_t DivisorProducts::position(int divisor) const {
  return static_cast<std::size_t>(std::lower_bound(values_.begin(), values_.end(), divisor) -
                                  values_.begin());
}

bool DivisorProducts::exists(int product, int count, int low, int high) {
  ++question_;
  low_ = low;
  high_ = high;
  set_powers(low_powers_, low, count);
  set_powers(high_powers_, high, count);
  return search(position(product), count);
}

bool DivisorProducts::search(std::size_t product, int count) {
  const int value = values_[product];
  const auto k = index(count);
  if (value < low_powers_[k] || value > high_powers_[k]) return false;
  if (count <= 1 || value == 1) return true;
  auto& failed_in = failed_in_[product * low_powers_.size() + k];
  if (failed_in == question_) return false;
  if (search_factor(product, count)) return true;
  failed_in = question_;
  return false;
}

/// Tries each factor that has the largest prime: some factor must, and no prime has fewer multiples
/// among the divisors.
bool DivisorProducts::search_factor(std::size_t product, int count) {
  const int value = values_[product];
  const int prime = largest_primes_[product];
  const std::int64_t low_rest = low_powers_[index(count) - 1];
  const std::int64_t high_rest = high_powers_[index(count) - 1];
  const auto first = std::max<std::int64_t>(low_, (value + high_rest - 1) / high_rest);
  const auto last = std::min<std::int64_t>(high_, value / low_rest);
  for (std::size_t i = position(narrow<int>(first)); i < values_.size() && values_[i] <= last;
       ++i) {
    if (values_[i] % prime != 0 || value % values_[i] != 0) continue;
    if (search(positions_[codes_[product] - codes_[i]], count - 1)) return true;
  }
  return false;
}

}  // namespace vtopo::detail

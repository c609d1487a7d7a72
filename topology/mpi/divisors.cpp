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

namespace {

/// First of `first`..`last` for which `holds`, if it holds from some position on; else `last`.
template <class Predicate>
std::size_t first_that(std::size_t first, std::size_t last, Predicate holds) {
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (holds(middle))
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

/// Last of `first`..`last` for which `holds`, if it holds for `first` and up to some position.
template <class Predicate>
std::size_t last_that(std::size_t first, std::size_t last, Predicate holds) {
  return first_that(first, last, [&](std::size_t i) { return !holds(i + 1); });
}

/// Whether base^exponent > bound.
bool power_exceeds(std::int64_t base, int exponent, std::int64_t bound) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent && power <= bound; ++i) power *= base;
  return power > bound;
}

/// One number, its divisors, and how many factors it is to have.
class BalancedSearch {
 public:
  BalancedSearch(int number, int count, SpreadTie tie)
      : number_(number), count_(count), tie_(tie), products_(number, count) {}

  std::vector<int> run() {
    find_range();
    return tie_ == SpreadTie::smallest_maximum ? from_the_largest() : from_the_smallest();
  }

 private:
  int divisor(std::size_t position) const { return products_.divisors()[position]; }

  bool exists(int product, int count, std::size_t low, std::size_t high) {
    return products_.exists(product, count, divisor(low), divisor(high));
  }

  /// Sets the positions of the smallest and the largest factor.
  void find_range() {
    const std::size_t last = products_.divisors().size() - 1;
    const std::size_t root = last_that(  // the smallest factor is at most the count-th root
        0, last, [&](std::size_t i) { return !power_exceeds(divisor(i), count_, number_); });
    high_ = last;
    for (std::size_t high = root; high <= last; ++high) {
      if (divisor(high) < products_.largest_prime()) continue;
      const int spread = divisor(high_) - divisor(low_);
      const int least = divisor(high) - spread + (tie_ == SpreadTie::smallest_maximum ? 1 : 0);
      if (least > divisor(root)) break;
      const auto low = first_that(0, root, [&](std::size_t i) { return divisor(i) >= least; });
      if (!exists(number_, count_, low, high)) continue;
      low_ = last_that(low, root, [&](std::size_t i) { return exists(number_, count_, i, high); });
      high_ = high;
    }
  }

  std::vector<int> from_the_largest() {
    std::vector<int> factors;
    int rest = number_;
    for (int count = count_; count > 0; --count) {
      high_ = first_that(0, high_, [&](std::size_t i) { return exists(rest, count, low_, i); });
      factors.push_back(divisor(high_));
      rest /= factors.back();
    }
    return factors;
  }

  std::vector<int> from_the_smallest() {
    std::vector<int> factors;
    int rest = number_;
    for (int count = count_; count > 0; --count) {
      low_ = last_that(low_, high_, [&](std::size_t i) { return exists(rest, count, i, high_); });
      factors.push_back(divisor(low_));
      rest /= factors.back();
    }
    std::reverse(factors.begin(), factors.end());
    return factors;
  }

  int number_;
  int count_;
  SpreadTie tie_;
  DivisorProducts products_;
  std::size_t low_ =
      0;  // position of the smallest factor: the number itself and ones to begin with
  std::size_t high_ = 0;  // position of the largest factor
};

}  // namespace

std::vector<int> balanced_factors(int number, int count, SpreadTie tie) {
  auto primes = prime_factors(number);
  if (count < int_size(primes)) return BalancedSearch(number, count, tie).run();
  // One is the smallest factor, or no factor can be split: the primes are best under both ties.
  std::reverse(primes.begin(), primes.end());
  primes.resize(index(count), 1);
  return primes;
}

}  // namespace vtopo::detail

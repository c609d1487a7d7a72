#include "topology/mpi/balanced_factors.hpp"

#include <algorithm>
#include <cstdint>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/divisors.hpp"

namespace vtopo::detail {

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

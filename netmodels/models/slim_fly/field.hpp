#pragma once

#include <vector>

namespace vtopo::detail {

/// The field with q elements 0..q-1; each is a polynomial over the integers modulo the prime p, its
/// coefficients the digits to base p. With q = p these are the integers modulo p.
class FiniteField {
 public:
  /// Whether q is the power of a prime.
  static bool exists(int q);

  /// q <= 46340 a prime power. O(q^2).
  explicit FiniteField(int q);

  int size() const { return q_; }
  /// Element whose powers are all but 0: the smallest prime root if q is prime.
  int power_of_root(int exponent) const {
    return power_[static_cast<std::size_t>(exponent % (q_ - 1))];
  }

  int sum(int a, int b) const {
    return sum_[static_cast<std::size_t>(a) * static_cast<std::size_t>(q_) +
                static_cast<std::size_t>(b)];
  }
  int difference(int a, int b) const { return sum(a, negative_[static_cast<std::size_t>(b)]); }
  int product(int a, int b) const {
    if (a == 0 || b == 0) return 0;
    return power_[static_cast<std::size_t>(log(a)) + static_cast<std::size_t>(log(b))];
  }
  /// b is not 0.
  int quotient(int a, int b) const {
    if (a == 0) return 0;
    return power_[static_cast<std::size_t>(log(a) + q_ - 1 - log(b))];
  }

 private:
  int log(int a) const { return log_[static_cast<std::size_t>(a)]; }
  void add_digits();
  bool find_powers(int reduced);

  int q_;
  int prime_;
  std::vector<int> sum_;       ///< of two elements
  std::vector<int> negative_;  ///< of each element
  std::vector<int> power_;     ///< of the root, exponents 0 to 2q - 3
  std::vector<int> log_;       ///< exponent of each element
};

}  // namespace vtopo::detail

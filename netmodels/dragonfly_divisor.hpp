#pragma once

#include <cstdint>

namespace vtopo {

/// Division by a number that is known only when a network is made, as one multiplication: exact for
/// 0 <= dividend < 2^31 (Granlund, Montgomery, "Division by Invariant Integers using
/// Multiplication", PLDI 1994).
class Divisor {
 public:
  explicit Divisor(int divisor) : divisor_(divisor) {
    while ((std::int64_t{1} << log2_) < divisor) ++log2_;
    shift_ = 31 + log2_;
    factor_ = ((std::uint64_t{1} << shift_) + static_cast<std::uint64_t>(divisor) - 1) /
              static_cast<std::uint64_t>(divisor);
  }

  int quotient(int dividend) const {
    return static_cast<int>((static_cast<std::uint64_t>(dividend) * factor_) >> shift_);
  }
  int remainder(int dividend) const { return dividend - quotient(dividend) * divisor_; }

 private:
  int divisor_;
  int log2_ = 0;
  int shift_ = 31;
  std::uint64_t factor_ = 0;
};

}  // namespace vtopo

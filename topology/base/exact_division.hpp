#pragma once

#include <bit>
#include <cstdint>

namespace vtopo::detail {

/// Division of numbers 0..2^31-1 by a divisor known in advance, as one multiplication and a shift:
/// what a table of quotients would cost memory for. Exact by theorem 4.2 of Granlund and
/// Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994).
class ExactDivision {
 public:
  /// Divisor >= 1.
  explicit ExactDivision(int divisor)
      : divisor_(divisor),
        shift_(31 + static_cast<int>(std::bit_width(static_cast<unsigned>(divisor) - 1))),
        multiplier_(((std::uint64_t{1} << shift_) - 1) / static_cast<std::uint64_t>(divisor) + 1) {}

  int quotient(int n) const {
    return static_cast<int>((static_cast<std::uint64_t>(n) * multiplier_) >> shift_);
  }
  int remainder(int n) const { return n - quotient(n) * divisor_; }

 private:
  int divisor_;
  int shift_;
  std::uint64_t multiplier_;
};

}  // namespace vtopo::detail

#pragma once

#include <span>

namespace vtopo::detail {

/// Largest number of bytes of which all `volumes` are multiples; 0 if they are not whole numbers.
double whole_unit(std::span<const double> volumes);

/// What is a multiple of `unit` and at least `value` is at least this; rounding in the computation
/// of `value` (one part in 1e9) does not count. `value` itself where there is no unit.
double round_up(double value, double unit);

/// What is a multiple of `unit` and at most `value` is at most this.
double round_down(double value, double unit);

}  // namespace vtopo::detail

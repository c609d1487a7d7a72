#pragma once

#include <compare>

namespace vtopo {

/// A number with its unit in the type: quantities of different units never mix.
template <class Unit>
struct Quantity {
  double value = 0;  ///< in the unit itself, without prefix

  /// Compared by value.
  friend constexpr auto operator<=>(const Quantity&,
                                    const Quantity&) = default;  // NOLINT(modernize-use-nullptr)
  /// Sum, in the same unit.
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  /// Difference, in the same unit.
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  /// Multiple, in the same unit.
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  /// Adds a quantity of the same unit.
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
};

/// Volume of data; may be fractional.
using Bytes = Quantity<struct BytesUnit>;

/// Largest volume of one edge that is accepted, so that no sum over edges and hops overflows.
inline constexpr Bytes max_volume{1e24};

/// Simulated or measured time.
using Seconds = Quantity<struct SecondsUnit>;
/// Volume per time, such as the bandwidth of a link.
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;

/// Time that `volume` needs at `bandwidth`, in seconds.
constexpr Seconds operator/(Bytes volume, BytesPerSecond bandwidth) {
  return {volume.value / bandwidth.value};
}

}  // namespace vtopo

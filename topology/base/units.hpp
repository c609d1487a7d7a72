#pragma once

#include <compare>

namespace vtopo {

/// A number with its unit in the type: quantities of different units never mix.
template <class Unit>
struct Quantity {
  double value = 0;

  friend constexpr auto operator<=>(const Quantity&,
                                    const Quantity&) = default;  // NOLINT(modernize-use-nullptr)
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  constexpr Quantity& operator+=(Quantity other) {
    value += other.value;
    return *this;
  }
};

using Bytes = Quantity<struct BytesUnit>;

/// Largest volume of one edge that is accepted, so that no sum over edges and hops overflows.
inline constexpr Bytes max_volume{1e24};

using Seconds = Quantity<struct SecondsUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;

/// Time that `volume` needs at `bandwidth`, in seconds.
constexpr Seconds operator/(Bytes volume, BytesPerSecond bandwidth) {
  return {volume.value / bandwidth.value};
}

}  // namespace vtopo

#pragma once

#include <compare>
#include <string>
#include <string_view>

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

/// Volume such as `64KiB`, `1MB`, `1500` (bytes) or `0`.
/// @throws UsageError unless it is a number from 0 to `max_volume` with a known unit.
Bytes parse_bytes(std::string_view text);

/// Bandwidth such as `10GBps`, `10 GB/s`, `100Gbps` (bits), `1e9` (bytes per second) or `inf`.
/// @throws UsageError unless it is a number from 0.001 to 1e18, or `inf`, with a known unit.
BytesPerSecond parse_bandwidth(std::string_view text);

/// Time such as `100ns`, `2ms` or `0.5` (seconds).
/// @throws UsageError unless it is a number from 0 to 1e9 with a known unit.
Seconds parse_seconds(std::string_view text);

/// Human-readable, three significant digits: `1.5 MiB`, `0 B`.
std::string format_bytes(Bytes volume);

/// Human-readable, three significant digits: `10 GB/s`.
std::string format_bandwidth(BytesPerSecond bandwidth);

/// Human-readable, three significant digits: `1.26 ms`, `40 ns`.
std::string format_seconds(Seconds time);

}  // namespace vtopo

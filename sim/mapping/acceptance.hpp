#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vtopo {

/// -ln of uniform numbers: a rise is accepted if it is at most temperature * threshold.
class AcceptanceThresholds {
 public:
  static constexpr std::size_t count = 4096;
  AcceptanceThresholds() {
    for (std::size_t i = 0; i < count; ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  double of(std::uint64_t bits) const { return values_[bits % count]; }

 private:
  std::array<double, count> values_;
};

}  // namespace vtopo

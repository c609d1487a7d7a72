#include "sim/draw/value_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/draw/colour_ramp.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

std::string value_text(double value, PictureUnit unit) {
  if (unit == PictureUnit::bytes) return format_bytes({value});
  if (unit == PictureUnit::seconds) return format_seconds({value});
  return fmt::format("{}", value);
}

ValueScale::ValueScale(std::span<const double> values, PictureUnit unit) : unit_(unit) {
  for (const double value : values) {
    if (!(value > 0)) continue;
    least_ = least_ == 0 ? value : std::min(least_, value);
    most_ = std::max(most_, value);
  }
}

ValueScale ValueScale::spread(std::span<const double> values, PictureUnit unit) {
  constexpr double wide = 100;
  ValueScale scale(values, unit);
  scale.logarithmic_ = scale.least_ > 0 && scale.most_ / scale.least_ > wide;
  return scale;
}

int ValueScale::level(double value) const {
  if (!(value > 0) || most_ <= 0) return 0;
  const double share =
      logarithmic_ ? std::log(value / least_) / std::log(most_ / least_) : value / most_;
  // Rounding of sums must not move a value that fills its level into the next one.
  const double level = std::ceil(share * colour_levels - 1e-9);
  return static_cast<int>(std::clamp(level, 1.0, double(colour_levels)));
}

double ValueScale::value_of(int level) const {
  const double share = double(level) / colour_levels;
  return logarithmic_ ? least_ * std::pow(most_ / least_, share) : most_ * share;
}

}  // namespace vtopo::detail

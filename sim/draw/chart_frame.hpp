#pragma once

#include "sim/draw/markup.hpp"
#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

/// Where the inner part of a chart lies, in pixels. Internal to this room.
struct ChartFrame {
  static constexpr double left = 74, top = 16, width = 430, height = 190;
  static constexpr double bottom = top + height;
  static constexpr double whole_width = left + width + 20, whole_height = bottom + 52;
};

/// Axes, three values on the upright one, and words under the other.
void put_axes(SvgElement& svg, double most, PictureUnit unit, std::string_view words);

}  // namespace vtopo::detail

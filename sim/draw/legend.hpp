#pragma once

#include "sim/draw/markup.hpp"
#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

/// Height in pixels of what `put_legend` draws.
inline constexpr double legend_height = 46;

/// Bar of colours with the values at its ends and in its middle. Internal to this room.
/// @param size of its letters, in pixels.
void put_legend(SvgElement& svg, const ValueScale& scale, double x, double y, double size = 13);

}  // namespace vtopo::detail

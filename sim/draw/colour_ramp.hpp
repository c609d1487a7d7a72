#pragma once

#include <string>

namespace vtopo::detail {

/// Colour of a share of the most, 0 <= share <= 1, as `#rrggbb`: from dark violet by blue, teal and
/// green to light yellow. Lightness grows evenly with the share, and neighbours differ along the
/// axis from blue to yellow, so that it reads the same without red-green vision and in grey. A path
/// in OKLCH (B. Ottosson, "A perceptual color space for image processing", 2020).
std::string ramp_colour(double share);

/// Steps of the ramp in a picture; level 0 means without load, and has no colour.
inline constexpr int colour_levels = 32;

/// Style sheet of pictures: for each level `.cells .lN` and `.cables .lN`, the most in the darkest
/// colour on light ground and in the lightest on dark ground.
std::string ramp_css();

}  // namespace vtopo::detail

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/draw/markup.hpp"

namespace vtopo::detail {

/// What the numbers of a picture count.
enum class PictureUnit { bytes, seconds, number };

/// `1.5 MiB`, `40 ns` or `17`.
std::string value_text(double value, PictureUnit unit);

/// `bytes`, `seconds` or `number`, as pages and CSV files name it.
std::string_view unit_name(PictureUnit unit);

/// Some `count` round values of 0 to `most`, 0 first: multiples of 1, 2 or 5 times a power of ten,
/// of bytes of a power of two. Between `least` and `most` of a logarithmic axis: powers of ten, of
/// bytes of 32.
std::vector<double> round_ticks(double most, PictureUnit unit, int count);
std::vector<double> round_ticks(double least, double most, PictureUnit unit);

/// Levels of colour for values >= 0, the same for all pictures that are compared.
class ValueScale {
 public:
  /// Linear from 0 to the most of the values.
  ValueScale(std::span<const double> values, PictureUnit unit);

  /// Like the former, but logarithmic from the least positive value if the most is more than a
  /// hundred times as much.
  static ValueScale spread(std::span<const double> values, PictureUnit unit);

  /// 0 for nothing, else 1 to `colour_levels`.
  int level(double value) const;

  /// Value at the upper end of a level.
  double value_of(int level) const;

  double least() const { return logarithmic_ ? least_ : 0; }
  double most() const { return most_; }
  bool is_logarithmic() const { return logarithmic_; }
  PictureUnit unit() const { return unit_; }

 private:
  double least_ = 0;  ///< positive
  double most_ = 0;
  bool logarithmic_ = false;
  PictureUnit unit_;
};

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

/// Height in pixels of what `put_legend` draws.
inline constexpr double legend_height = 46;

/// Bar of colours with round values below it. Internal to this room.
/// @param size of its letters, in pixels.
void put_legend(SvgElement& svg, const ValueScale& scale, double x, double y, double size = 13);

}  // namespace vtopo::detail

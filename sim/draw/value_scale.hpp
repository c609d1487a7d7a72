#pragma once

#include <span>
#include <string>

namespace vtopo::detail {

/// What the numbers of a picture count.
enum class PictureUnit { bytes, seconds, number };

/// `1.5 MiB`, `40 ns` or `17`.
std::string value_text(double value, PictureUnit unit);

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

  double most() const { return most_; }
  bool is_logarithmic() const { return logarithmic_; }
  PictureUnit unit() const { return unit_; }

 private:
  double least_ = 0;  ///< positive
  double most_ = 0;
  bool logarithmic_ = false;
  PictureUnit unit_;
};

}  // namespace vtopo::detail

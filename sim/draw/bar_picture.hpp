#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/draw/figure.hpp"
#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

/// Bars side by side: a histogram, or a time for each rank.
struct BarPicture {
  std::string name, title, caption;  ///< see `Figure`
  std::string axis;                  ///< human-readable, below the bars
  PictureUnit unit = PictureUnit::number;
  std::vector<double> values;      ///< heights, >= 0
  std::vector<std::string> names;  ///< one entry per bar
  double most = 0;                 ///< height of the picture; the same in all that are compared
  std::size_t per_bar = 1;         ///< hop counts or ranks that a bar stands for
};

/// Draws the bars above an axis with the names of as many as there is room for.
Figure draw_bars(const BarPicture& picture);

/// How many edges have how many hops, in at most 64 bars.
/// @param most of all histograms that are compared.
BarPicture hop_bars(const std::vector<std::int64_t>& hop_histogram, double most, std::size_t bars);

/// When the ranks finish, in at most 256 bars; a bar for several ranks is the last of them.
/// @param most of all rows that are compared, seconds.
BarPicture rank_bars(const std::vector<double>& finish_seconds, double most);

}  // namespace vtopo::detail

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/rank_timeline.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/run/report.hpp"

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

/// How the loads of links are distributed: entry i of n is the load in seconds that a share i/(n-1)
/// of the links does not exceed. Exact for up to 257 links.
std::vector<double> load_quantiles(std::span<const LinkLoad> links);

/// Links from the lightest to the heaviest, with another embedding for comparison.
/// @param other quantiles of that one; empty: none. @param other_name human-readable.
/// @param most of all pictures that are compared, seconds.
Figure draw_load_curve(const std::vector<double>& quantiles, const std::vector<double>& other,
                       const std::string& other_name, double most);

/// Phases one below the other, each from its first rank to its last; those that last longest where
/// there are many.
/// @param end of the axis of time.
Figure draw_phases(const std::vector<PhaseRow>& phases, Seconds end);

/// A lane for each rank: local work, messages and waiting in three colours.
/// @param is_wide as the only picture of a page is.
Figure draw_ranks(const DrawnTimeline& drawn, Seconds end, bool is_wide);

}  // namespace vtopo::detail

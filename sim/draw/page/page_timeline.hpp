#pragma once

#include <string>

#include "sim/draw/rank_timeline.hpp"

namespace vtopo::detail {

/// The timeline of ranks for the script, as JSON: lanes, and spans as lane, kind, begin and end in
/// ticks. Internal to this folder.
/// @param end of the axis of time.
std::string timeline_data(const DrawnTimeline& drawn, Seconds end);

/// What the picture of it shows, and what it leaves out.
std::string timeline_caption(const DrawnTimeline& drawn);

}  // namespace vtopo::detail

#pragma once

#include <cstddef>
#include <string>

#include "sim/run/trace_run.hpp"
#include "sim/draw/rank_timeline.hpp"

namespace vtopo::detail {

/// A simulated trace as one HTML page that needs nothing else and loads nothing: what ranks do when
/// (local work, messages under way, waiting for others) with zoom, when they finish, and the
/// longest steps of the critical path.
/// @param report of one row; its timeline is drawn if it has one.
std::string render_trace_page(const TraceReport& report);

/// The ranks and spans that a picture can show: at most `max_lanes` ranks, evenly among all, and
/// about `max_spans` spans.
DrawnTimeline drawn_timeline(const TraceRow& row, std::size_t max_lanes, std::size_t max_spans);

}  // namespace vtopo::detail

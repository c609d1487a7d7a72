#pragma once

#include <string>

#include "sim/report/text_columns.hpp"
#include "sim/report/trace_run.hpp"

namespace vtopo::detail {

/// Human-readable table: the application, where its time went, and its critical path, if any.
/// @param num_steps longest steps of the critical path that are listed.
std::string render_trace_table(const TraceReport& report, int num_steps,
                               const TextStyle& style = {});

/// Header and one line per mapper.
std::string render_trace_csv(const TraceReport& report);

/// One JSON object, two spaces of indentation, final newline.
std::string render_trace_json(const TraceReport& report);

/// `rank,finish_seconds,computing_seconds,messages_seconds,waiting_seconds` of a row; the last two
/// are empty where the engine does not know them apart.
std::string trace_rank_times_csv(const TraceRow& row);

}  // namespace vtopo::detail

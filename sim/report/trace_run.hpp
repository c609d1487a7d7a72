#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/clock/program_times.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/run/observer.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// A step of the critical path, as a report lists it.
struct TraceStep {
  PathStep step;
  std::string position;            ///< `FILE:LINE` of the operation; empty: the end of the rank
  std::string call;                ///< its text
  std::vector<std::string> links;  ///< of a message; empty inside a host
};

/// A recorded program under one embedding.
struct TraceRow {
  std::string mapper;    ///< as given, with options
  ProgramTimes times;    ///< of the application, local work included
  Seconds mapping_time;  ///< measured
  std::string solver;    ///< `fast` or `simgrid`
  std::vector<TraceStep> critical_path = {};
  std::vector<RankSpan> timeline = {};  ///< what ranks do, in no order; empty unless asked for
};

/// Whole answer.
struct TraceReport {
  std::vector<std::pair<std::string, std::string>> scenario;  ///< option and value, in order
  std::string trace;                                          ///< human-readable
  std::string network;                                        ///< human-readable
  std::uint64_t seed = 1;
  int ranks = 0, hosts = 0;
  std::int64_t messages = 0;   ///< that all ranks send
  std::vector<TraceRow> rows;  ///< one per mapper
};

/// What is asked for beside the times.
struct TraceWishes {
  bool critical_path = false;  ///< what decided the makespan
  bool timeline = false;       ///< what ranks do when; of vtopo's engine only
};

/// Replays the trace of a scenario under each of its mappers.
/// @throws what `run` and `read_trace` throw; FitError if the trace has more ranks than there are
/// slots.
TraceReport run_trace(const Scenario& scenario, TraceWishes wishes, Observer& observer);

}  // namespace vtopo::detail

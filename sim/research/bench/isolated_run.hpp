#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// What a mapper may use before it is ended.
struct RunLimits {
  Seconds time{60};                        ///< by the clock
  Bytes memory{4.0 * 1024 * 1024 * 1024};  ///< of addresses, on top of the problem's
  std::optional<Seconds> deadline = {};    ///< of refiners, which then return their best
};

enum class RunStatus { ok, not_applicable, timed_out, out_of_memory, failed };

/// `ok`, `timed out`, ...
std::string_view to_string(RunStatus status);

/// How a mapper's run ended, and what it took.
struct IsolatedRun {
  RunStatus status = RunStatus::failed;  ///< `ok` if there is an embedding
  std::string words;                     ///< why there is no embedding
  std::optional<Embedding> embedding;    ///< present if the status is `ok`
  Seconds mapping_time;                  ///< by the clock
  Seconds cpu_time;                      ///< of all threads
  Bytes memory;                          ///< most that the run added to what the problem takes
};

/// Runs a mapper in a child process, so that its crash, its hanging or its hunger for memory is a
/// row of a table and not its end. The embedding is checked against the allocation.
/// @throws SimulationError if the system has no process, memory or descriptor left.
IsolatedRun run_isolated(const MapperSpec& spec, const MappingProblem& problem,
                         const SearchControl& control, const RunLimits& limits);

}  // namespace vtopo::detail

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/study/sweep_file.hpp"
#include "sim/study/sweep_job.hpp"
#include "sim/study/sweep_plan.hpp"

namespace vtopo::detail {

/// How scenarios are run.
struct SweepRunOptions {
  std::size_t jobs = 1;  ///< processes side by side
  Limits limits;         ///< of each
};

/// What became of them.
struct SweepOutcome {
  std::size_t ran = 0;     ///< lines written
  std::size_t failed = 0;  ///< of these, with an error
  bool internal = false;   ///< one of the failures is none of the input
  int signal = 0;          ///< that stopped the sweep; 0: none
};

/// Runs scenarios in processes and adds a line for each when it ends, in the order in which they
/// end. SIGINT, SIGTERM and SIGHUP stop it between lines. The caller has no other thread.
/// @param timings gets a line `key,exit_code,wall_seconds,cpu_seconds,peak_bytes` for each.
/// @throws InputError if a file cannot be written.
SweepOutcome run_sweep(std::span<const SweepScenario> scenarios, const SweepRunOptions& options,
                       const AppendedFile& results, const AppendedFile& timings);

}  // namespace vtopo::detail

#pragma once

#include <string>

#include "sim/run/experiment.hpp"
#include "sim/run/observer.hpp"
#include "sim/run/report.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo {

/// What is asked of a run besides the scenario.
struct RunOptions {
  std::string simulation_needed_by = {};  ///< what asks for simulated times; empty: nothing
  int top_links = 0;                      ///< of each row where the scenario does not say
  bool timing = true;                     ///< whether measured times are printed
};

/// Maps, evaluates and simulates: a row for each mapper of the scenario, whose plugins are loaded.
/// @throws UsageError for what the scenario asks for and does not fit together, FitError if the
/// ranks do not fit, InputError for files, SimulationError.
Report run(const Scenario& scenario);

/// The same while someone watches.
Report run(const Scenario& scenario, Observer& observer, const RunOptions& options = {});

}  // namespace vtopo

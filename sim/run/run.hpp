#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/run/experiment.hpp"
#include "sim/run/observer.hpp"
#include "sim/run/report.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo {

namespace detail {
struct RankSpan;
}

/// What a caller of `run` may see and say besides the scenario; every function may be empty.
struct RunHooks {
  std::function<void(const Experiment&)> built = {};  ///< before work starts
  /// After each mapper. The report has the scenario and, with `keeps_order`, the rows before.
  std::function<void(const Experiment&, const Report&, const Embedding&)> mapped = {};
  /// What ranks do in the simulation of the row that `evaluated` gets next: those of a schedule or
  /// a trace, of each in the order of time. Ranks above those of the job are of other jobs.
  std::function<void(const detail::RankSpan&)> spans = {};
  /// After each row, which still has the loads of all links.
  std::function<void(const Experiment&, const Embedding&, const Row&)> evaluated = {};
  std::function<void(const Experiment&, const Report&)> ended = {};  ///< after all rows
  std::string simulation_needed_by = {};  ///< what asks for simulated times; empty: nothing
  /// Whether the order given, that of `Scenario::embedding` or of the baseline, has the first row
  /// and is kept unless the mapper of the scenario gains: see `Verdict::kept_order`. A time limit
  /// is then of the whole run, and where it is too short to simulate, static metrics decide.
  bool keeps_order = false;
  int top_links = 0;   ///< of each row where the scenario does not say
  bool timing = true;  ///< whether measured times are printed
};

/// Maps, evaluates and simulates: a row for each mapper of the scenario, whose plugins are loaded.
/// @throws UsageError for what the scenario asks for and does not fit together, FitError if the
/// ranks do not fit, InputError for files, SimulationError.
Report run(const Scenario& scenario);

/// The same while someone watches.
Report run(const Scenario& scenario, Observer& observer, const RunHooks& hooks = {});

/// Sentence on why the solver of the scenario refuses a network; nothing if it does not.
std::optional<std::string> reason_not_simulated(const Scenario& scenario, const Network& network);

/// Whether rows on `network` are simulated: as the scenario says, else if its solver can.
/// @throws UsageError if the scenario asks for what only the simulation gives and its solver
/// cannot.
bool will_simulate(const Scenario& scenario, const Network& network,
                   const std::string& needed_by = {});

/// Checks, before work starts, what can be checked without the network.
/// @throws UsageError
void check_scenario(const Scenario& scenario, const std::string& simulation_needed_by = {});

}  // namespace vtopo

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/process/subprocess.hpp"
#include "sim/run/observer.hpp"
#include "sim/study/lines.hpp"

namespace vtopo::detail {

/// How scenarios are run: each by this program, in a process of its own.
struct StudyRunOptions {
  /// Arguments of the program in front of those of the scenario, by which it writes the JSON of a
  /// report to standard output.
  std::vector<std::string> words;
  std::size_t jobs = 1;  ///< processes side by side
  Limits limits = {};    ///< of each
  /// After a SIGINT the searches of what is running end with their best result so far, and no other
  /// scenario is begun.
  bool keeps_interrupted = false;
};

/// What became of a scenario.
struct ScenarioEnd {
  const StudyScenario& scenario;
  StudyLine line;
  ProcessEnd process;
  std::vector<std::string> sentences;  ///< on its standard error, without the name of the command
};

/// What became of a study.
struct StudyOutcome {
  std::size_t ran = 0;     ///< scenarios that ended
  std::size_t failed = 0;  ///< of these, with an error
  bool internal = false;   ///< one of the failures is none of the input
  int signal = 0;  ///< that stopped the study before a scenario had ended, or at once; 0: none
  bool cut_short = false;  ///< not all scenarios ran, on SIGINT
};

/// Refuses files that no scenario can use, before any runs.
/// @param base what all have besides their settings.
/// @throws InputError, UsageError
void check_files(std::span<const StudyScenario> scenarios, const Scenario& base,
                 Observer& observer);

/// Runs scenarios and hands over each when it ends, in the order in which they end. SIGINT, SIGTERM
/// and SIGHUP stop that between scenarios. The caller has no other thread.
StudyOutcome run_scenarios(std::span<const StudyScenario> scenarios, const StudyRunOptions& options,
                           Observer& observer,
                           const std::function<void(const ScenarioEnd&)>& ended);

}  // namespace vtopo::detail

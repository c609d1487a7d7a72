#include "sim/study/run.hpp"

#include <fmt/format.h>

#include <csignal>
#include <memory>
#include <optional>

#include "netmodels/process/memory_file.hpp"
#include "sim/study/scenario_files.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Clock = Subprocess::Clock;

constexpr int exit_exceeded = 5;  // a condition on the rows was met: the report is there

/// Keeps signals back while it lives, so that one can be waited for without a handler.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&signals_);
    for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, number);
    sigprocmask(SIG_BLOCK, &signals_, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  /// The next signal that asks to stop; 0 if a child ended or nothing came for a while.
  int wait() const {
    constexpr timespec a_while{0, 100'000'000};
    const int number = sigtimedwait(&signals_, nullptr, &a_while);
    return number == -1 || number == SIGCHLD ? 0 : number;
  }

 private:
  sigset_t signals_{}, before_{};
};

/// A line of standard error of this program without the name in front.
std::string without_name(const std::string& line) {
  constexpr std::string_view name = "vtopo: ";
  return line.starts_with(name) ? line.substr(name.size()) : line;
}

std::vector<std::string> sentences_of(const std::string& errors) {
  std::vector<std::string> sentences;
  for (const auto line : split(errors, '\n'))
    if (!trim(line).empty()) sentences.push_back(without_name(std::string(line)));
  return sentences;
}

/// A scenario in a process of this program's code, whatever stands at its path by now, and with
/// limits. The process and its children end with this object or with this process.
class ScenarioJob {
 public:
  ScenarioJob(const StudyScenario& scenario, const StudyRunOptions& options)
      : scenario_(scenario), process_(executable(options)) {}

  /// How it ended; absent while it runs. Ends it at its limit of time. Once.
  std::optional<ScenarioEnd> poll(const Limits& limits) {
    const auto& deadline = process_.deadline();
    if (deadline && Clock::now() > *deadline && !too_long_) {
      too_long_ = true;
      process_.signal(SIGKILL);
    }
    if (!process_.has_ended()) return std::nullopt;
    const ProcessEnd& end = process_.wait();
    return ScenarioEnd{scenario_, line_of(end, limits), end, sentences_of(errors_.text())};
  }

  void signal(int number) const { process_.signal(number); }

 private:
  Executable executable(const StudyRunOptions& options) const {
    Executable program{.words = {"/proc/self/exe"},
                       .output = output_.descriptor(),
                       .errors = errors_.descriptor(),
                       .limits = options.limits};
    for (const auto& words : {options.words, scenario_.settings.arguments()})
      program.words.insert(program.words.end(), words.begin(), words.end());
    return program;
  }

  StudyLine line_of(const ProcessEnd& end, const Limits& limits) const {
    const int code = end.exit_code();
    if (too_long_ || (code != 0 && code != exit_exceeded))
      return line_of_failure(scenario_, too_long_ ? 1 : code, reason(end, limits));
    try {
      return line_of_report(scenario_, output_.text());
    } catch (const InputError& error) {
      return line_of_failure(scenario_, 1, error.what());
    }
  }

  /// Why a process that ended without a report did so.
  std::string reason(const ProcessEnd& end, const Limits& limits) const {
    if (too_long_) return fmt::format("takes more than {}", format_seconds(*limits.time));
    const int code = end.exit_code();
    if (code == 128 + SIGKILL)
      return "ended by signal 9; perhaps the machine has too little memory";
    const std::string words = without_name(last_words(errors_.text()));
    return code > 128 || words.empty() ? end.description() : words;
  }

  const StudyScenario& scenario_;
  MemoryFile output_, errors_;
  Subprocess process_;
  bool too_long_ = false;
};

/// A study under way.
class Running {
 public:
  Running(std::span<const StudyScenario> scenarios, const StudyRunOptions& options,
          Observer& observer, const std::function<void(const ScenarioEnd&)>& ended)
      : scenarios_(scenarios), options_(options), ended_(ended), work_(observer.begin("sweep")) {}

  StudyOutcome run() {
    while (outcome_.signal == 0 && (next_ < scenarios_.size() || !jobs_.empty())) {
      while (next_ < scenarios_.size() && jobs_.size() < options_.jobs)
        jobs_.push_back(std::make_unique<ScenarioJob>(scenarios_[next_++], options_));
      react_to(signals_.wait());
      std::erase_if(jobs_, [&](const auto& job) {
        const auto end = job->poll(options_.limits);
        if (end) take(*end);
        return end.has_value();
      });
      show();
    }
    return outcome_;
  }

 private:
  void react_to(int signal) {
    if (signal != SIGINT || !options_.keeps_interrupted) {
      outcome_.signal = signal;
      return;
    }
    outcome_.cut_short = outcome_.cut_short || next_ < scenarios_.size();
    next_ = scenarios_.size();
    for (const auto& job : jobs_) job->signal(signal);
  }

  void take(const ScenarioEnd& end) {
    if (options_.keeps_interrupted && end.process.exit_code() == 128 + SIGINT) {
      outcome_.cut_short = true;  // no row was known
      if (outcome_.ran == 0) outcome_.signal = SIGINT;
      return;
    }
    ended_(end);
    ++outcome_.ran;
    if (!end.line.failed) return;
    ++outcome_.failed;
    if (is_internal(end.line)) outcome_.internal = true;
  }

  void show() {
    const double done = static_cast<double>(outcome_.ran);
    const double all = static_cast<double>(scenarios_.size());
    std::string label = fmt::format("sweep {} of {}", outcome_.ran, scenarios_.size());
    if (outcome_.failed > 0) label += fmt::format(", {} failed", outcome_.failed);
    work_->rename(label);
    work_->update(done / all);
  }

  std::span<const StudyScenario> scenarios_;
  const StudyRunOptions& options_;
  const std::function<void(const ScenarioEnd&)>& ended_;
  HeldSignals signals_;
  std::unique_ptr<Work> work_;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<ScenarioJob>> jobs_;
  StudyOutcome outcome_;
};

}  // namespace

void check_files(std::span<const StudyScenario> scenarios, const Scenario& base,
                 Observer& observer) {
  std::vector<ScenarioSettings> settings;
  for (const StudyScenario& scenario : scenarios) settings.push_back(scenario.settings);
  check_files(settings, base, observer);
}

StudyOutcome run_scenarios(std::span<const StudyScenario> scenarios, const StudyRunOptions& options,
                           Observer& observer,
                           const std::function<void(const ScenarioEnd&)>& ended) {
  return Running(scenarios, options, observer, ended).run();
}

}  // namespace vtopo::detail

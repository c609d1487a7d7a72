#include "sim/study/sweep_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <memory>
#include <vector>

#include "cli/output/output.hpp"
#include "cli/output/progress.hpp"
#include "sim/clock/estimate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Clock = Subprocess::Clock;

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

std::vector<std::string> job_arguments(const SweepScenario& scenario) {
  std::vector<std::string> words{"compare"};
  for (std::string& word : scenario.settings.arguments()) words.push_back(std::move(word));
  for (const char* word : {"--threads=1", "--timing=off", "--format=json", "--output=-"})
    words.emplace_back(word);
  return words;
}

/// Why a process that ended without a report did so.
std::string reason(const JobEnd& end, const Limits& limits) {
  if (end.too_long) return fmt::format("takes more than {}", format_seconds(*limits.time));
  const int code = end.process.exit_code();
  if (code == 128 + SIGKILL) return "ended by signal 9; perhaps the machine has too little memory";
  return code > 128 || end.words.empty() ? end.process.description() : end.words;
}

SweepLine line_of(const SweepScenario& scenario, const JobEnd& end, const Limits& limits) {
  if (end.process.status != 0 || end.too_long)
    return sweep_failure(scenario, end.too_long ? 1 : end.process.exit_code(), reason(end, limits));
  try {
    return sweep_result(scenario, end.output);
  } catch (const InputError& error) {
    return sweep_failure(scenario, 1, error.what());
  }
}

/// A sweep under way.
class Running {
 public:
  Running(std::span<const SweepScenario> scenarios, const SweepRunOptions& options,
          const AppendedFile& results, const AppendedFile& timings)
      : scenarios_(scenarios), options_(options), results_(results), timings_(timings) {}

  SweepOutcome run() {
    while (outcome_.signal == 0 && (next_ < scenarios_.size() || !jobs_.empty())) {
      while (next_ < scenarios_.size() && jobs_.size() < options_.jobs) start(scenarios_[next_++]);
      outcome_.signal = signals_.wait();
      collect();
      tell();
    }
    return outcome_;
  }

 private:
  struct Job {
    const SweepScenario* scenario;
    std::unique_ptr<SweepJob> process;
  };

  void start(const SweepScenario& scenario) {
    jobs_.push_back(
        {&scenario, std::make_unique<SweepJob>(job_arguments(scenario), options_.limits)});
  }

  void collect() {
    std::erase_if(jobs_, [&](const Job& job) {
      const auto end = job.process->poll();
      if (end) write(*job.scenario, *end);
      return end.has_value();
    });
  }

  void write(const SweepScenario& scenario, const JobEnd& end) {
    const SweepLine line = line_of(scenario, end, options_.limits);
    results_.append(line.text);
    timings_.append(fmt::format("{},{},{},{},{}", scenario.key, end.process.exit_code(),
                                end.process.wall.value, end.process.cpu.value,
                                end.process.peak.value));
    ++outcome_.ran;
    if (!line.failed) return;
    ++outcome_.failed;
    if (is_internal(line)) outcome_.internal = true;
  }

  void tell() {
    const double done = static_cast<double>(outcome_.ran);
    const double all = static_cast<double>(scenarios_.size());
    std::string label = fmt::format("sweep {} of {}", outcome_.ran, scenarios_.size());
    if (outcome_.failed > 0) label += fmt::format(", {} failed", outcome_.failed);
    const Seconds spent{std::chrono::duration<double>(Clock::now() - start_).count()};
    if (outcome_.ran > 0)
      label += fmt::format(", about {} left", format_duration({spent.value * (all - done) / done}));
    bar_.rename(std::move(label));
    bar_.update(done / all);
  }

  std::span<const SweepScenario> scenarios_;
  const SweepRunOptions& options_;
  const AppendedFile& results_;
  const AppendedFile& timings_;
  HeldSignals signals_;
  ProgressBar bar_{"sweep"};
  Clock::time_point start_ = Clock::now();
  std::size_t next_ = 0;
  std::vector<Job> jobs_;
  SweepOutcome outcome_;
};

}  // namespace

SweepOutcome run_sweep(std::span<const SweepScenario> scenarios, const SweepRunOptions& options,
                       const AppendedFile& results, const AppendedFile& timings) {
  if (timings.is_empty()) timings.append("key,exit_code,wall_seconds,cpu_seconds,peak_bytes");
  return Running(scenarios, options, results, timings).run();
}

}  // namespace vtopo::detail

#include "sim/run/row_simulations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "sim/run/schedule_rows.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/clock/estimate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Clock = SearchControl::Clock;

constexpr Seconds worth_a_warning{60};

/// Messages of all simulations that run side by side: they take up to some 600 bytes each.
constexpr std::size_t max_messages_together = 4'000'000;

/// What SimGrid needs for one step of each phase, or under the clock of programs for all of them.
Seconds estimated_time_of_simgrid(const Experiment& experiment, const Embedding& embedding,
                                  JobClock clock) {
  if (!experiment.schedule) {
    const auto edges = static_cast<double>(std::max(experiment.guest.num_edges(), std::size_t{1}));
    return estimate_simulation_time(experiment.guest, *experiment.network, embedding) *
           (experiment.trace ? static_cast<double>(num_messages(experiment.trace->program)) / edges
                             : 1.0);
  }
  Seconds estimate{0};
  for (const SchedulePhase& phase : experiment.schedule->phases)
    estimate += estimate_simulation_time(phase.traffic, *experiment.network, embedding) *
                (clock == JobClock::program ? static_cast<double>(phase.repeat) : 1.0);
  return estimate;
}

void warn_if_simgrid_is_long(const Scenario& scenario, const Experiment& experiment,
                             const Embedding& embedding, const std::string& mapper, JobClock clock,
                             Observer& observer) {
  const Seconds estimate = estimated_time_of_simgrid(experiment, embedding, clock);
  if (estimate < worth_a_warning) return;
  observer.remark(
      fmt::format("SimGrid will need about {} to simulate {}; {}--no-simulate leaves it out",
                  format_duration(estimate), mapper,
                  *scenario.network_model == NetworkModel::cm02
                      ? "--solver fast gives the same times much sooner, "
                      : ""));
}

/// Entry n: the first row with the embedding of row n.
std::vector<std::size_t> first_rows_alike(std::span<const Mapped> rows) {
  std::vector<std::size_t> first;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto alike = std::find_if(first.begin(), first.end(), [&](std::size_t earlier) {
      return std::ranges::equal(rows[earlier].embedding.hosts(), rows[n].embedding.hosts());
    });
    first.push_back(alike == first.end() ? n : *alike);
  }
  return first;
}

}  // namespace

int RowSimulations::threads_for(std::size_t count) const {
  if (count < 2 || spans_ || simulation_options(scenario_).solver != Solver::fast) return 1;
  const std::size_t messages = std::max<std::size_t>(experiment_.guest.num_edges(), 1);
  const std::size_t most = std::max<std::size_t>(max_messages_together / messages, 1);
  return static_cast<int>(std::min(most, static_cast<std::size_t>(threads_of(scenario_))));
}

void RowSimulations::begin(std::vector<std::optional<Embedding>> known) {
  const auto count =
      std::count_if(known.begin(), known.end(), [](const auto& row) { return row.has_value(); });
  if (count == 0 || count == std::ssize(known)) return;
  if (scenario_.time_limit || threads_for(known.size()) == 1) return;
  known_.resize(known.size());
  begun_ = std::vector<std::atomic<bool>>(known.size());
  ahead_ =
      std::async(std::launch::async, [this, rows = std::move(known)] { simulate_begun(rows); });
}

void RowSimulations::simulate_begun(const std::vector<std::optional<Embedding>>& known) {
  SimulationOptions how = simulation_options(scenario_);
  how.stop = [&] { return stop_.load(); };
  for (std::size_t n = 0; n < known.size() && !stop_; ++n) {
    const auto earlier = known.begin() + static_cast<std::ptrdiff_t>(n);
    if (!known[n] || std::find(known.begin(), earlier, known[n]) != earlier) continue;
    if (begun_[n].exchange(true)) continue;
    try {
      known_[n] = simulate_job(experiment_, *known[n], how);
    } catch (const SimulationError&) {
      if (!stop_) throw;
    }
  }
}

void RowSimulations::wait_for_begun(const StopRequest& request) {
  using namespace std::chrono_literals;
  if (!ahead_.valid()) return;
  while (ahead_.wait_for(1ms) != std::future_status::ready)
    if (request.is_set()) stop_ = true;
  ahead_.get();
}

void RowSimulations::run_together(std::span<const Mapped> rows) {
  const int threads = threads_for(rows.size());
  if (threads == 1) return;
  const std::vector<std::size_t> first = first_rows_alike(rows);
  known_.resize(rows.size());
  const auto request = observer_.listen();
  const auto work = observer_.begin(fmt::format("simulating {} embeddings", rows.size()));
  SimulationOptions how = simulation_options(scenario_);
  how.stop = [&] { return request->is_set(); };
  std::atomic<std::size_t> ended = 0;
  parallel_for(rows.size(), threads, [&](std::size_t n) {
    try {
      if (first[n] == n && (begun_.empty() || !begun_[n].exchange(true)))
        known_[n] = simulate_job(experiment_, rows[n].embedding, how);
    } catch (const SimulationError&) {
      if (!request->is_set()) throw;
    }
    work->update(static_cast<double>(++ended) / static_cast<double>(rows.size()));
  });
  wait_for_begun(*request);
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (first[n] != n) known_[n] = known_[first[n]];
}

void RowSimulations::put(std::size_t n, const Embedding& embedding, Seconds own_congestion,
                         std::optional<Clock::time_point> end, Row& row) {
  std::optional<JobTimes> times;
  if (known_.empty())
    times = simulate(embedding, own_congestion, end, row);
  else if (!(times = std::move(known_[n])))
    remark_interrupted(row);
  if (!times) return;
  put_times(std::move(*times), row);
  const SimulationOptions how = simulation_options(scenario_);
  row.solver = to_string(how.solver);
  row.network_model = to_string(how.model);
  row.clock = to_string(job_clock(experiment_, how.solver));
}

std::optional<JobTimes> RowSimulations::simulate(const Embedding& embedding, Seconds own_congestion,
                                                 std::optional<Clock::time_point> end,
                                                 const Row& row) {
  std::unique_ptr<StopRequest> request;
  SimulationOptions how = simulation_options(scenario_);
  if (how.solver == Solver::fast) {
    request = observer_.listen();
    how.stop = [&] { return request->is_set() || (end && Clock::now() >= *end); };
  } else {
    if (end) how.time_limit = Seconds{std::chrono::duration<double>(*end - Clock::now()).count()};
    if (end && how.time_limit->value <= 0) return std::nullopt;
    warn_if_simgrid_is_long(scenario_, experiment_, embedding, row.mapper,
                            job_clock(experiment_, how.solver), observer_);
  }
  const auto work = observer_.begin("simulating " + row.mapper);
  how.progress = work->callback();
  how.static_bound = own_congestion;
  std::vector<Seconds> phase_bounds;
  for (const PhaseRow& phase : row.phases) phase_bounds.push_back(phase.metrics.max_congestion);
  try {
    return simulate_job(experiment_, embedding, how, phase_bounds, spans_);
  } catch (const SimulationError&) {
    const bool interrupted = request && request->is_set();
    if (!interrupted && !(end && Clock::now() >= *end)) throw;
    if (interrupted)
      remark_interrupted(row);
    else
      observer_.remark(
          fmt::format("--time-limit {} is too short to simulate {}: static figures decide",
                      scenario_.time_limit->text(), row.mapper));
    return std::nullopt;
  }
}

void RowSimulations::remark_interrupted(const Row& row) const {
  observer_.remark(fmt::format("interrupted: {} is not simulated", row.mapper));
}

}  // namespace vtopo::detail

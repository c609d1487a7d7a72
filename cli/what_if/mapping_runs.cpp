#include "cli/what_if/mapping_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/what_if/interrupt.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/simulation/simulate_schedule.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo {

namespace {

/// A mapper that runs others does so on all threads.
bool uses_threads(const MapperSpec& mapper) {
  return find_mapper(mapper.name).runs_mappers;
}

}  // namespace

MappingProblem mapping_problem(const WhatIfPlan& plan, const WhatIfOptions& options,
                               const Scenario& scenario) {
  return {.guest = scenario.guest,
          .host = *scenario.network,
          .allocation = scenario.allocation,
          .grid = scenario.grid ? &*scenario.grid : nullptr,
          .seed = options.scenario.seed,
          .objective = plan.objective};
}

SimulationOptions simulation_options(const WhatIfPlan& plan) {
  return {.model = plan.model,
          .loopback_bandwidth = plan.loopback_bandwidth,
          .solver = plan.solver,
          .time_limit = plan.limits.time,
          .memory_limit = plan.limits.memory};
}

SimulationResult simulate_job(const Scenario& scenario, const Embedding& embedding,
                              const SimulationOptions& how) {
  if (scenario.schedule)
    return simulate_schedule(*scenario.schedule, *scenario.network, embedding, how).total;
  if (!scenario.background) return simulate(scenario.guest, *scenario.network, embedding, how);
  const PlacedTraffic all = beside(scenario.guest, embedding, scenario.background->traffic);
  SimulationOptions options = how;  // as fine as the job needs it, however much the others send
  if (!options.static_bound)
    options.static_bound = evaluate(scenario.guest, *scenario.network, embedding).max_congestion;
  SimulationResult result = simulate(all.guest, *scenario.network, all.embedding, options);
  result.rank_finish.resize(static_cast<std::size_t>(scenario.guest.num_ranks()));
  result.makespan = {};
  for (const Seconds finish : result.rank_finish)
    result.makespan = std::max(result.makespan, finish);
  result.flow_finish.clear();  // flows of all jobs
  return result;
}

/// A simulator in a child process needs this process to have no other threads when it starts.
MappingRuns::MappingRuns(const WhatIfPlan& plan, const WhatIfOptions& options,
                         const Scenario& scenario, const Bounds& bounds)
    : plan_(plan),
      options_(options),
      scenario_(scenario),
      bounds_(bounds),
      found_(plan.mappers.size()) {
  if (plan.threads == 1 || plan.objective.simulated_time) return;
  std::vector<std::size_t> together;
  for (std::size_t m = 0; m < plan.mappers.size(); ++m)
    if (!uses_threads(plan.mappers[m])) together.push_back(m);
  if (together.size() > 1) run_together(together);
}

Mapped MappingRuns::take(std::size_t m) {
  return found_[m] ? std::move(*found_[m]) : run_alone(plan_.mappers[m]);
}

/// The first Ctrl-C is for all of them, if any of them honours it.
void MappingRuns::run_together(const std::vector<std::size_t>& mappers) {
  ProgressBar bar(fmt::format("mapping by {} mappers", mappers.size()));
  std::optional<Interrupt> interrupt;
  const auto anytime = [&](std::size_t m) { return find_mapper(plan_.mappers[m].name).anytime; };
  if (std::any_of(mappers.begin(), mappers.end(), anytime)) interrupt.emplace();
  const std::atomic<bool>* stop = interrupt ? &interrupt->flag() : nullptr;
  std::atomic<std::size_t> ended = 0;
  parallel_for(mappers.size(), plan_.threads, [&](std::size_t i) {
    const MapperSpec& mapper = plan_.mappers[mappers[i]];
    Mapped mapped = run(mapper, nullptr, stop);
    if (stop != nullptr && *stop && anytime(mappers[i]))
      mapped.remarks.push_back(fmt::format("interrupted: {} gives the best so far", mapper.name));
    found_[mappers[i]] = std::move(mapped);
    bar.update(static_cast<double>(++ended) / static_cast<double>(mappers.size()));
  });
}

Mapped MappingRuns::run_alone(const MapperSpec& mapper) const {
  ProgressBar bar("mapping " + to_string(mapper));
  bar.show_time();
  if (!find_mapper(mapper.name).anytime) return run(mapper, &bar, nullptr);
  const Interrupt interrupt;
  Mapped mapped = run(mapper, &bar, &interrupt.flag());
  if (interrupt.flag())
    mapped.remarks.push_back(fmt::format("interrupted: {} gives the best so far", mapper.name));
  return mapped;
}

/// @param bar null where several mappers run side by side.
Mapped MappingRuns::run(const MapperSpec& mapper, ProgressBar* bar,
                        const std::atomic<bool>* stop) const {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> remarks;
  SearchControl control{.steps = options_.steps, .stop = stop};
  control.threads = uses_threads(mapper) ? plan_.threads : 1;
  control.remark = [&](const std::string& text) { remarks.push_back(text); };
  if (bar != nullptr) {
    control.progress = bar->callback();
    control.improved = [&, bar](const Cost& cost) { bar->rename(label(mapper, cost)); };
  }
  if (plan_.objective.simulated_time)
    control.simulated_time = [&](const Embedding& embedding) {
      return simulate_job(scenario_, embedding, simulation_options(plan_)).makespan;
    };
  const auto start = Clock::now();
  if (plan_.time_limit)
    control.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(plan_.time_limit->value));
  Embedding embedding = run_mapper(mapper, mapping_problem(plan_, options_, scenario_), control);
  const Seconds time{std::chrono::duration<double>(Clock::now() - start).count()};
  return {std::move(embedding), time, std::move(remarks)};
}

/// `mapping portfolio: hop-bytes 1.31e+09 (bound 1.1e+09)`.
std::string MappingRuns::label(const MapperSpec& mapper, const Cost& cost) const {
  const std::string objective = to_string(plan_.objective);
  std::string text = fmt::format("mapping {}: {} {:.4g}", mapper.name,
                                 objective.substr(0, objective.find(',')), cost.front());
  if (is_hop_bytes(plan_.objective))
    text += fmt::format(" (bound {:.4g})", bounds_.hop_bytes.value);
  return text;
}

}  // namespace vtopo

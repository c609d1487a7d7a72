#include "sim/run/mapping_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "sim/mapping/partition/balance.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/run/predicted_times.hpp"
#include "sim/run/rank_balance.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

/// A mapper that runs others does so on all threads.
bool uses_threads(const MapperSpec& mapper) {
  return find_mapper(mapper.name).runs_mappers;
}

/// The component that predicts the time for an objective, if any.
std::optional<SimulationOptions> predicting_options(const Objective& objective,
                                                    const Scenario& scenario) {
  if (objective.time == TimeFirst::no || scenario.simulate == false) return std::nullopt;
  SimulationOptions how = simulation_options(scenario);
  if (objective.time == TimeFirst::simulated) return how;
  how.solver = Solver::fast;
  how.model = NetworkModel::cm02;
  return how;
}

}  // namespace

const Objective& objective_of(const Scenario& scenario) {
  return scenario.objective ? **scenario.objective : default_objective();
}

MappingProblem mapping_problem(const Scenario& scenario, const Experiment& experiment) {
  return {.guest = experiment.guest,
          .network = *experiment.network,
          .allocation = experiment.allocation,
          .grid = experiment.grid ? &*experiment.grid : nullptr,
          .seed = scenario.seed,
          .objective = objective_of(scenario)};
}

int threads_of(const Scenario& scenario) {
  return scenario.threads > 0 ? scenario.threads : hardware_threads();
}

SimulationOptions simulation_options(const Scenario& scenario) {
  const Limits limits = parse_limits(scenario.limits);
  return {.model = *scenario.network_model,
          .loopback_bandwidth = *scenario.loopback_bandwidth,
          .solver = chosen_solver(*scenario.solver, *scenario.network_model),
          .time_limit = limits.time,
          .memory_limit = limits.memory};
}

/// A simulator in a child process needs this process to have no other threads when it starts.
MappingRuns::MappingRuns(std::span<const MapperSpec> mappers, const Scenario& scenario,
                         const Experiment& experiment, const Bounds& bounds, Observer& observer)
    : mappers_(mappers),
      scenario_(scenario),
      experiment_(experiment),
      bounds_(bounds),
      observer_(observer),
      objective_(objective_of(scenario)),
      threads_(threads_of(scenario)),
      found_(mappers.size()) {}

void MappingRuns::run_together() {
  if (threads_ == 1 || objective_.time == TimeFirst::simulated) return;
  std::vector<std::size_t> together;
  for (std::size_t m = 0; m < mappers_.size(); ++m)
    if (!uses_threads(mappers_[m])) together.push_back(m);
  if (together.size() > 1) run_together(together);
}

std::vector<std::optional<Embedding>> MappingRuns::found() const {
  std::vector<std::optional<Embedding>> embeddings(found_.size());
  for (std::size_t m = 0; m < found_.size(); ++m)
    if (found_[m]) embeddings[m] = found_[m]->embedding;
  return embeddings;
}

Mapped MappingRuns::take(std::size_t m, const MappingStart& start) {
  return found_[m] ? std::move(*found_[m]) : run_alone(mappers_[m], start);
}

/// The first Ctrl-C is for all of them, if any of them honours it.
void MappingRuns::run_together(const std::vector<std::size_t>& mappers) {
  const auto work = observer_.begin(fmt::format("mapping by {} mappers", mappers.size()));
  std::unique_ptr<StopRequest> request;
  const auto anytime = [&](std::size_t m) { return find_mapper(mappers_[m].name).anytime; };
  if (std::any_of(mappers.begin(), mappers.end(), anytime)) request = observer_.listen();
  const std::atomic<bool>* stop = request ? request->flag() : nullptr;
  std::atomic<std::size_t> ended = 0;
  parallel_for(mappers.size(), threads_, [&](std::size_t i) {
    const MapperSpec& mapper = mappers_[mappers[i]];
    Mapped mapped = run(mapper, {}, nullptr, stop);
    if (stop != nullptr && *stop && anytime(mappers[i]))
      mapped.remarks.push_back(fmt::format("interrupted: {} gives the best so far", mapper.name));
    found_[mappers[i]] = std::move(mapped);
    work->update(static_cast<double>(++ended) / static_cast<double>(mappers.size()));
  });
}

Mapped MappingRuns::run_alone(const MapperSpec& mapper, const MappingStart& start) const {
  const auto work = observer_.begin("mapping " + to_string(mapper), true);
  if (!find_mapper(mapper.name).anytime) return run(mapper, start, work.get(), nullptr);
  const auto request = observer_.listen();
  Mapped mapped = run(mapper, start, work.get(), request->flag());
  if (request->is_set())
    mapped.remarks.push_back(fmt::format("interrupted: {} gives the best so far", mapper.name));
  return mapped;
}

/// @param work null where several mappers run side by side.
Mapped MappingRuns::run(const MapperSpec& mapper, const MappingStart& given, Work* work,
                        const std::atomic<bool>* stop) const {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> remarks;
  SearchControl control{.steps = scenario_.steps, .stop = stop};
  control.threads = uses_threads(mapper) ? threads_ : 1;
  control.remark = [&](const std::string& text) { remarks.push_back(text); };
  if (work != nullptr) {
    control.progress = work->callback();
    control.improved = [&, work](const Cost& cost) { work->rename(label(mapper, cost)); };
  }
  const auto start = Clock::now();
  if (uses_threads(mapper) && !experiment_.balance) control.start = given.given;
  control.deadline = given.deadline;
  if (scenario_.time_limit && !control.deadline)
    control.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>((*scenario_.time_limit)->value));
  std::optional<PredictedTimes> times;
  if (auto how = predicting_options(objective_, scenario_)) {
    if (how->solver == Solver::fast) how->stop = [&] { return control.must_stop(); };
    times.emplace(experiment_, std::move(*how));
    control.time = times->prediction();
  }
  Embedding embedding = embed(mapper, control, remarks);
  const Seconds time{std::chrono::duration<double>(Clock::now() - start).count()};
  return {std::move(embedding), time, std::move(remarks)};
}

/// Mappers count ranks; where ranks have weights, hosts get an even number of them first.
Embedding MappingRuns::embed(const MapperSpec& mapper, const SearchControl& control,
                             std::vector<std::string>& remarks) const {
  const MappingProblem problem = mapping_problem(scenario_, experiment_);
  if (!experiment_.balance) return run_mapper(mapper, problem, control);
  const RankBalance& balance = *experiment_.balance;
  Allocation by_number = problem.allocation;
  const int ranks = problem.guest.num_ranks();
  std::fill(by_number.slots.begin(), by_number.slots.end(),
            balanced_slots(ranks, by_number.num_hosts(), **scenario_.imbalance));
  const MappingProblem even{.guest = problem.guest,
                            .network = problem.network,
                            .allocation = by_number,
                            .grid = problem.grid,
                            .seed = problem.seed,
                            .objective = problem.objective};
  constexpr double mapping_time = 0.8;  // the rest is for moves under the weights
  SearchControl mapping = control;
  mapping.deadline = after_share(control, mapping_time);
  Embedding embedding = balance_weights(problem.guest, problem.network, experiment_.allocation,
                                        run_mapper(mapper, even, mapping), balance.weights,
                                        balance.most, [&] { return control.must_stop(); });
  std::map<HostId, double> load;
  for (int r = 0; r < embedding.num_ranks(); ++r)
    load[embedding.host_of(Rank{r})] += balance.weights[index(Rank{r})];
  double most = 0;
  for (const auto& [host, weight] : load) most = std::max(most, weight);
  remarks.push_back(
      fmt::format("{}: the heaviest host has ranks of weight {:g}; an even share is "
                  "{:g}, accepted is up to {:g}",
                  mapper.name, most, balance.even, balance.most));
  return embedding;
}

/// `mapping portfolio: hop-bytes 1.31e+09 (bound 1.1e+09)`.
std::string MappingRuns::label(const MapperSpec& mapper, const Cost& cost) const {
  const std::string objective = to_string(objective_);
  std::string text = fmt::format("mapping {}: {} {:.4g}", mapper.name,
                                 objective.substr(0, objective.find(',')), cost.front());
  if (is_hop_bytes(objective_)) text += fmt::format(" (bound {:.4g})", bounds_.hop_bytes.value);
  return text;
}

}  // namespace vtopo::detail

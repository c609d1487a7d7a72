#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "sim/mapping/partition/balance.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/run/guest.hpp"
#include "sim/run/rows.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

/// A mapper that runs others does so on all threads.
bool uses_threads(const MapperSpec& mapper) {
  return find_mapper(mapper.name).runs_mappers;
}

/// Whether the bounds of a setup are those of the guest as a whole: phases may have higher ones.
bool knows_bounds(const RowSetup& setup) {
  return !setup.bounds.hop_bytes_kind.empty() && setup.bounds.congestion_kind != "phases";
}

/// How the time is predicted for an objective, if it is.
std::optional<SimulationOptions> predicting_options(const RowSetup& setup) {
  if (setup.objective.time == TimeFirst::no || !setup.clock) return std::nullopt;
  SimulationOptions how = *setup.clock;
  if (setup.objective.time == TimeFirst::simulated) return how;
  how.solver = Solver::fast;
  how.model = NetworkModel::cm02;
  return how;
}

/// Whether mappers and rows have their times from the same clock.
bool predicts_as_clock(const RowSetup& setup) {
  const auto how = predicting_options(setup);
  return how && how->solver == setup.clock->solver && how->model == setup.clock->model;
}

/// Mappers count ranks; where ranks have weights, hosts get an even number of them first.
Embedding embed(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                const SearchControl& control, std::vector<std::string>& remarks) {
  const MappingProblem problem = mapping_problem(experiment, setup);
  if (!experiment.balance) return run_mapper(mapper, problem, control);
  const RankBalance& balance = *experiment.balance;
  Allocation by_number = problem.allocation;
  std::fill(by_number.slots.begin(), by_number.slots.end(),
            balanced_slots(problem.guest.num_ranks(), by_number.num_hosts(), balance.imbalance));
  const MappingProblem even{.guest = problem.guest,
                            .network = problem.network,
                            .allocation = by_number,
                            .grid = problem.grid,
                            .seed = problem.seed,
                            .objective = problem.objective};
  constexpr double mapping_time = 0.8;  // the rest is for moves under the weights
  SearchControl mapping = control;
  mapping.deadline = after_share(control, mapping_time);
  Embedding embedding = balance_weights(problem.guest, problem.network, experiment.allocation,
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
std::string label(const MapperSpec& mapper, const RowSetup& setup, const Objective& goal,
                  double value) {
  const std::string objective = to_string(goal);
  std::string text = fmt::format("mapping {}: {} {:.4g}", mapper.name,
                                 objective.substr(0, objective.find(',')), value);
  if (is_hop_bytes(goal)) text += fmt::format(" (bound {:.4g})", setup.bounds.hop_bytes.value);
  return text;
}

/// By the clock where a deadline ends the work: it is what is known best.
Progress progress_of(Work& work, SearchControl::Clock::time_point start,
                     const std::optional<SearchControl::Clock::time_point>& deadline) {
  if (!deadline || *deadline <= start) return work.callback();
  return [&work, start, whole = *deadline - start](double done) {
    const std::chrono::duration<double> passed = SearchControl::Clock::now() - start;
    work.update(done < 1 ? passed / whole : 1);
  };
}

/// @param work null where several mappers run side by side.
Mapped mapped_by(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                 Work* work, const std::atomic<bool>* stop, const RowControl& row) {
  std::vector<std::string> remarks;
  SearchControl control{.steps = setup.budget.steps, .stop = stop};
  control.threads = uses_threads(mapper) ? setup.budget.threads : 1;
  control.remark = [&](const std::string& text) { remarks.push_back(text); };
  const auto start = SearchControl::Clock::now();
  if (uses_threads(mapper) && !experiment.balance) control.start = row.given;
  control.deadline = row.mapped_by;
  if (setup.budget.time && !control.deadline)
    control.deadline = time_point_after(start, **setup.budget.time);
  if (work != nullptr) {
    control.progress = progress_of(*work, start, control.deadline);
  }
  const Objective goal = objective_of(find_mapper(mapper.name), setup.objective);
  std::vector<SearchPoint> search;
  if (work != nullptr || setup.traces_search)
    control.improved = [&, work](double value, std::int64_t steps) {
      const std::chrono::duration<double> taken = SearchControl::Clock::now() - start;
      if (setup.traces_search && (search.empty() || value < search.back().value))
        search.push_back({taken.count(), steps, value});
      if (work != nullptr) work->rename(label(mapper, setup, goal, value));
    };
  std::optional<PredictedTimes> times;
  if (auto how = predicting_options(setup)) {
    if (how->solver == Solver::fast) how->stop = [&] { return control.must_stop(); };
    times.emplace(experiment, std::move(*how));
    control.time = times->prediction();
  }
  Embedding embedding = embed(experiment, mapper, setup, control, remarks);
  const Seconds time{std::chrono::duration<double>(SearchControl::Clock::now() - start).count()};
  const bool interrupted = stop != nullptr && *stop && find_mapper(mapper.name).anytime;
  if (interrupted)
    remarks.push_back(fmt::format("interrupted: {} gives the best so far", mapper.name));
  Mapped mapped{std::move(embedding), time, std::move(remarks), {}, std::move(search)};
  if (times && predicts_as_clock(setup))
    if (const JobTimes* known = times->times_of(mapped.embedding)) mapped.times = *known;
  return mapped;
}

/// Runs mappers that use one thread. The first Ctrl-C is for all of them, if any honours it.
void map_together(const Experiment& experiment, std::span<const MapperSpec> mappers,
                  const std::vector<std::size_t>& together, const RowSetup& setup,
                  Observer& observer, std::vector<std::optional<Mapped>>& found) {
  const auto work = observer.begin(fmt::format("mapping by {} mappers", together.size()));
  std::unique_ptr<StopRequest> request;
  if (std::any_of(together.begin(), together.end(),
                  [&](std::size_t m) { return find_mapper(mappers[m].name).anytime; }))
    request = observer.listen();
  const std::atomic<bool>* stop = request ? request->flag() : nullptr;
  std::atomic<std::size_t> ended = 0;
  parallel_for(together.size(), setup.budget.threads, [&](std::size_t i) {
    found[together[i]] = mapped_by(experiment, mappers[together[i]], setup, nullptr, stop, {});
    work->update(static_cast<double>(++ended) / static_cast<double>(together.size()));
  });
}

}  // namespace

MappingProblem mapping_problem(const Experiment& experiment, const RowSetup& setup) {
  return {.guest = experiment.guest,
          .network = *experiment.network,
          .allocation = experiment.allocation,
          .grid = experiment.grid ? &*experiment.grid : nullptr,
          .seed = setup.budget.seed,
          .objective = setup.objective,
          .bounds = knows_bounds(setup) ? &setup.bounds : nullptr};
}

Mapped map_ranks(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                 Observer& observer, const RowControl& control) {
  const auto work = observer.begin("mapping " + to_string(mapper));
  std::unique_ptr<StopRequest> request;
  if (find_mapper(mapper.name).anytime) request = observer.listen();
  return mapped_by(experiment, mapper, setup, work.get(), request ? request->flag() : nullptr,
                   control);
}

std::vector<Mapped> map_ranks(const Experiment& experiment, std::span<const MapperSpec> mappers,
                              const RowSetup& setup, Observer& observer) {
  std::vector<std::optional<Mapped>> found(mappers.size());
  std::vector<std::size_t> together;
  for (std::size_t m = 0; m < mappers.size(); ++m)
    if (!uses_threads(mappers[m])) together.push_back(m);
  // A simulator in a child process needs this process to have no other threads when it starts.
  if (together.size() > 1 && setup.budget.threads > 1 &&
      setup.objective.time != TimeFirst::simulated)
    map_together(experiment, mappers, together, setup, observer, found);
  std::vector<Mapped> mapped;
  mapped.reserve(mappers.size());
  for (std::size_t m = 0; m < mappers.size(); ++m) {
    mapped.push_back(found[m] ? std::move(*found[m])
                              : map_ranks(experiment, mappers[m], setup, observer));
    for (const std::string& sentence : mapped.back().remarks) observer.remark(sentence);
  }
  return mapped;
}

}  // namespace vtopo::detail

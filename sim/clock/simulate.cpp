#include "sim/clock/simulate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "sim/clock/finish_times.hpp"
#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/simgrid_clock.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/placement/embedding_check.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, NetworkModel>, 3> network_models{
    {{"CM02", NetworkModel::cm02}, {"LV08", NetworkModel::lv08}, {"SMPI", NetworkModel::smpi}}};

constexpr std::array<std::pair<std::string_view, Solver>, 3> solvers{
    {{"auto", Solver::automatic}, {"fast", Solver::fast}, {"simgrid", Solver::simgrid}}};

/// The last finish of every rank and of all.
class Finishes {
 public:
  explicit Finishes(int num_ranks) {
    result_.rank_finish.resize(static_cast<std::size_t>(num_ranks));
  }

  void add_flow(const Flow& flow, Seconds time) {
    add(flow.source, flow.destination, time);
    result_.flow_finish.push_back(time);
  }

  void add_local(const std::vector<LocalMessage>& messages, BytesPerSecond loopback) {
    for (const auto& [source, destination, volume] : messages)
      add(source, destination, volume / loopback);
  }

  /// After local messages, before flows.
  void add_certain(const std::vector<Flow>& flows, const FinishTimes& times) {
    if (times.at_most.empty()) return;
    result_.at_most = result_.makespan;
    result_.at_least = std::max(result_.makespan, Seconds{times.last_at_least});
    for (std::size_t f = 0; f < times.at_most.size(); ++f)
      result_.at_most = std::max(result_.at_most, Seconds{times.at_most[f]} + flows[f].latency);
  }

  void add_work(const FinishTimes& times) {
    result_.num_updates += times.num_updates;
    result_.tolerance = std::max(result_.tolerance, times.tolerance);
  }

  SimulationResult result() && { return std::move(result_); }

 private:
  void add(Rank source, Rank destination, Seconds time) {
    for (const Rank rank : {source, destination}) {
      auto& finish = result_.rank_finish[index(rank)];
      finish = std::max(finish, time);
    }
    result_.makespan = std::max(result_.makespan, time);
  }

  SimulationResult result_;
};

void replay_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                  const SimulationOptions& options, Finishes& finishes) {
  const ReplayedFlows replayed = simgrid_clock().replay(guest, network, embedding, options);
  finishes.add_local(replayed.local, options.loopback_bandwidth);
  for (std::size_t f = 0; f < replayed.flows.size(); ++f)
    finishes.add_flow(replayed.flows[f], replayed.finish[f]);
}

void solve_flows(const CommGraph& guest, const Network& network, const Embedding& embedding,
                 const SimulationOptions& options, Finishes& finishes) {
  FlowPhase phase = make_flow_phase(guest, network, embedding, options.stop);
  finishes.add_local(phase.local, options.loopback_bandwidth);
  const FinishTimes finish = finish_times(std::move(phase.shared), options.progress, options.stop);
  finishes.add_work(finish);
  finishes.add_certain(phase.flows, finish);
  for (std::size_t f = 0; f < finish.seconds.size(); ++f)
    finishes.add_flow(phase.flows[f], Seconds{finish.seconds[f]} + phase.flows[f].latency);
}

}  // namespace

NetworkModel parse_network_model(std::string_view name) {
  return entry_named("unknown network model", name, network_models).second;
}

std::string to_string(NetworkModel model) {
  return name_of(network_models, model);
}

std::optional<std::string> why_not_simulated(const Network& network, Solver solver) {
  if (network.facts().distances_only)
    return "distances between hosts say nothing of links, from which times follow";
  if (!network.splits_flows() || solver == Solver::fast) return std::nullopt;
  return fmt::format("SimGrid sends each flow over one route, routing {} splits flows over several",
                     to_string(network.routing()));
}

Solver parse_solver(std::string_view name) {
  return entry_named("unknown solver", name, solvers).second;
}

std::string to_string(Solver solver) {
  return name_of(solvers, solver);
}

Solver chosen_solver(Solver solver, NetworkModel model) {
  if (model == NetworkModel::cm02) return solver == Solver::automatic ? Solver::fast : solver;
  if (solver != Solver::fast) return Solver::simgrid;
  throw UsageError(
      fmt::format("solver fast does not have network model {}; accepted: CM02, or "
                  "solver simgrid",
                  to_string(model)));
}

std::function<bool()> stop_or_limit(std::function<bool()> stop, std::optional<Seconds> time_limit) {
  using Clock = std::chrono::steady_clock;
  if (!time_limit) return stop;
  const auto end = time_point_after(Clock::now(), *time_limit);
  return [stop = std::move(stop), end, limit = *time_limit] {
    if (Clock::now() >= end)
      throw SimulationError(
          fmt::format("the simulation takes more than {}, its time limit", format_seconds(limit)));
    return stop && stop();
  };
}

SimulationResult simulate(const CommGraph& guest, const Network& network,
                          const Embedding& embedding, const SimulationOptions& options) {
  const Solver solver = chosen_solver(options.solver, options.model);
  if (!(options.loopback_bandwidth.value > 0))
    throw UsageError(
        fmt::format("loopback bandwidth {}: accepted is a number > 0 in bytes per second",
                    options.loopback_bandwidth.value));
  check_embedding(guest, network, embedding);
  const auto start = std::chrono::steady_clock::now();
  if (const auto routed = routed_for(guest, network, embedding))
    return simulate(guest, *routed, embedding, options);
  Finishes finishes(guest.num_ranks());
  if (solver == Solver::fast)
    solve_flows(guest, network, embedding, options, finishes);
  else
    replay_flows(guest, network, embedding, options, finishes);
  SimulationResult result = std::move(finishes).result();
  result.wall_seconds = {
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  return result;
}

namespace {

bool same_edges(std::span<const CommEdge> a, std::span<const CommEdge> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.volume == y.volume && x.destination == y.destination && is_sent(x) == is_sent(y);
  });
}

bool same_traffic(const CommGraph& a, const CommGraph& b) {
  if (a.num_edges() != b.num_edges()) return false;
  for (int r = 0; r < a.num_ranks(); ++r)
    if (!same_edges(a.out_edges(Rank{r}), b.out_edges(Rank{r}))) return false;
  return true;
}

/// Options of the p-th of several phases: its share of the progress of all.
SimulationOptions options_of(const SimulationOptions& all, std::size_t p, std::size_t count) {
  SimulationOptions options = all;
  options.static_bound.reset();
  if (all.progress)
    options.progress = [&all, p, count](double done) {
      all.progress((static_cast<double>(p) + done) / static_cast<double>(count));
    };
  return options;
}

/// Ranks that take part finish in the last step of the phase, which starts at `last_step`.
void add_finishes(const CommGraph& traffic, const SimulationResult& step, Seconds last_step,
                  std::vector<Seconds>& finish) {
  traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (!is_sent(edge)) return;
    for (const Rank rank : {source, edge.destination})
      finish[index(rank)] = last_step + step.rank_finish[index(rank)];
  });
}

/// What all ranks do between phases.
void add_to_all(Seconds time, SimulationResult& total) {
  total.makespan += time;
  for (Seconds& finish : total.rank_finish) finish = total.makespan;
}

}  // namespace

ScheduleTimes simulate_schedule(const Schedule& schedule, const Network& network,
                                const Embedding& embedding, const SimulationOptions& options,
                                const std::vector<Seconds>& static_bounds) {
  ScheduleTimes times;
  times.total.rank_finish.resize(static_cast<std::size_t>(embedding.num_ranks()));
  const auto& phases = schedule.phases;
  Seconds at_least{0}, at_most{0};
  bool any_in_batches = false;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const CommGraph& traffic = phases[p].traffic;
    if (p > 0 && same_traffic(traffic, phases[p - 1].traffic)) {
      times.phases.push_back(times.phases.back());
      times.phases.back().wall_seconds = {0};
      times.phases.back().num_updates = 0;
    } else {
      SimulationOptions how = options_of(options, p, phases.size());
      if (!static_bounds.empty()) how.static_bound = static_bounds[p];
      times.phases.push_back(simulate(traffic, network, embedding, how));
      times.phases.back().flow_finish = {};
    }
    const SimulationResult& step = times.phases.back();
    SimulationResult& total = times.total;
    const auto steps = static_cast<double>(phases[p].repeat);
    const Seconds copying = phases[p].copied / options.loopback_bandwidth;
    if (copying.value > 0) add_to_all(copying, total);
    add_finishes(traffic, step, total.makespan + step.makespan * (steps - 1), total.rank_finish);
    total.makespan += step.makespan * steps;
    total.wall_seconds += step.wall_seconds;
    total.num_updates += step.num_updates;
    total.tolerance = std::max(total.tolerance, step.tolerance);
    const bool in_batches = step.at_most.value > 0;
    at_least += (in_batches ? step.at_least : step.makespan) * steps + copying;
    at_most += (in_batches ? step.at_most : step.makespan) * steps + copying;
    any_in_batches = any_in_batches || in_batches;
  }
  if (any_in_batches) {
    times.total.at_least = at_least;
    times.total.at_most = at_most;
  }
  return times;
}

}  // namespace vtopo

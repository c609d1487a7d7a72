#include "sim/clock/simulate.hpp"

#include <algorithm>

#include "topology/sent_edges.hpp"

namespace vtopo {

using namespace detail;

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
  }
  return times;
}

}  // namespace vtopo

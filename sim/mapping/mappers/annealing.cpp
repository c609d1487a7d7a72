#include <algorithm>
#include <cmath>

#include "sim/mapping/search/annealing.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/search/refinement.hpp"

namespace vtopo::detail::mappers {

MapperInfo multilevel();  // the usual start

namespace {

/// Steps are cheaper by far where hops alone count.
constexpr std::int64_t default_steps_per_rank = 200;
constexpr std::int64_t default_hop_steps_per_rank = 5000;
constexpr std::int64_t max_default_hop_steps = 200'000'000;
constexpr int num_sampled = 1024;

/// The first temperature in units of what a random change costs on average, and the last one in
/// units of the first.
constexpr double start_temperature = 0.3;
constexpr double cooling = 1e-3;

constexpr std::int64_t steps_per_temperature = 256;

template <class State>
class Annealing {
 public:
  Annealing(const MappingProblem& problem, const SearchControl& control, State& state)
      : control_(control),
        state_(state),
        draw_(problem, state.partners(), state.table(), state.occupancy()),
        budget_(control, default_steps_per_rank * std::max(problem.guest.num_ranks(), 8)),
        best_energy_(state.energy()),
        best_(state.occupancy().places()) {}

  Embedding run() {
    control_.report_value(state_.value());
    first_temperature_ = start_temperature * mean_change();
    const std::int64_t between_looks =
        std::max<std::int64_t>(state_.occupancy().num_ranks(), steps_per_temperature);
    while (budget_.take()) {
      if ((budget_.done() - 1) % steps_per_temperature == 0) cool();
      step();
      if (budget_.done() % between_looks == 0) keep_best();
    }
    keep_best();
    if (control_.progress) control_.progress(1);
    return state_.occupancy().embedding_of(best_);
  }

 private:
  /// Average size of the changes in cost that random changes would make.
  double mean_change() {
    double sum = 0;
    int changed = 0;
    for (int i = 0; i < num_sampled; ++i) {
      const auto change = draw_.next();
      if (!change) continue;
      const double delta = state_.probe(*change);
      state_.reject();
      sum += std::abs(delta);
      changed += delta != 0 ? 1 : 0;
    }
    return changed > 0 ? sum / changed : 0;
  }

  void cool() {
    const double done = budget_.fraction();
    temperature_ = first_temperature_ * std::pow(cooling, done);
    if (control_.progress) control_.progress(done);
  }

  void step() {
    if (const auto change = draw_.next())
      try_change(state_, *change, temperature_, thresholds_, draw_);
  }

  void keep_best() {
    if (state_.energy() >= best_energy_) return;
    best_energy_ = state_.energy();
    best_ = state_.occupancy().places();
    control_.report_value(state_.value(), budget_.done());
  }

  const SearchControl& control_;
  State& state_;
  ChangeDraw draw_;
  Budget budget_;
  AcceptanceThresholds thresholds_;
  double first_temperature_ = 0;
  double temperature_ = 0;
  double best_energy_;
  std::vector<Place> best_;
};

Embedding map_annealing(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Simulated annealing: a random change that raises the cost by d is made with probability
/// exp(-d/T); T falls geometrically over the budget. Returns the best embedding seen. S. W.
/// Bollinger and S. F. Midkiff, "Processor and link assignment in multicomputers using simulated
/// annealing" (ICPP 1988); changes go mostly next to partners, so that a step costs O(degree) on
/// networks of any size. Under hop-bytes on tori, meshes, fat trees and dragonflies a step reads
/// coordinates (some million steps a second; 5,000 per rank if neither steps nor a time are given)
/// and the first temperature is that of the start, found from what random changes would do to it,
/// times more the longer the run: a good start is refined, not melted. Else 200 steps per rank, and
/// T starts at what random changes cost.
MapperInfo annealing() {
  return {.name = "annealing",
          .summary = "simulated annealing with changes near partners",
          .reference = "Bollinger and Midkiff, ICPP 1988",
          .options = {{"start", "mapper whose embedding is refined", multilevel().name}},
          .map = map_annealing,
          .role = MapperRole::hop_refiner,
          .uses_seed = true,
          .anytime = true};
}

namespace {

Embedding map_annealing(const MappingProblem& problem, const SearchControl& control) {
  SearchControl without_steps = control;
  without_steps.steps.reset();  // of the annealing, not of its start
  const Embedding start = start_of(annealing(), problem, without_steps);
  if (lowers_hops_only(problem)) {
    const std::int64_t steps = std::min(
        default_hop_steps_per_rank * std::max(problem.guest.num_ranks(), 8), max_default_hop_steps);
    if (auto refined = anneal_hops(problem, control, start, steps))
      return better_of(problem, problem.objective, start, std::move(*refined));
  }
  return refine_state(problem, start,
                      [&](auto& state) { return Annealing(problem, control, state).run(); });
}

}  // namespace

}  // namespace vtopo::detail::mappers

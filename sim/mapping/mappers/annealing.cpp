#include <algorithm>
#include <array>
#include <cmath>

#include "sim/mapping/budget.hpp"
#include "sim/mapping/change_draw.hpp"
#include "sim/mapping/hop_annealing.hpp"
#include "sim/mapping/refinement.hpp"

namespace vtopo::mappers {

namespace {

constexpr std::int64_t default_steps_per_rank = 200;
constexpr int num_sampled = 1024;

/// The first temperature in units of what a drawn change costs on average, and the last one in
/// units of the first.
constexpr double start_temperature = 0.3;
constexpr double cooling = 1e-3;

constexpr std::int64_t steps_per_temperature = 256;

/// -ln of uniform numbers: a rise is accepted if it is less than temperature * threshold.
class Thresholds {
 public:
  Thresholds() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(values_.size()));
  }
  double draw(ChangeDraw& random) const { return values_[random.below(values_.size())]; }

 private:
  std::array<double, 4096> values_;
};

template <class State>
class Annealing {
 public:
  Annealing(const MappingProblem& problem, State& state)
      : state_(state),
        draw_(state.partners(), state.table(), state.seats(), problem.seed),
        budget_(problem, default_steps_per_rank * std::max(problem.guest.num_ranks(), 8)),
        progress_(problem.progress),
        best_energy_(state.energy()),
        best_(state.seats().places()) {}

  Embedding run() {
    first_temperature_ = start_temperature * mean_change();
    const std::int64_t between_looks =
        std::max<std::int64_t>(state_.seats().num_ranks(), steps_per_temperature);
    while (budget_.take()) {
      if ((budget_.done() - 1) % steps_per_temperature == 0) cool();
      step();
      if (budget_.done() % between_looks == 0) keep_best();
    }
    keep_best();
    if (progress_) progress_(1);
    return state_.seats().embedding_of(best_);
  }

 private:
  /// Average size of the changes in cost that drawn changes would make.
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
    if (progress_) progress_(done);
  }

  void step() {
    const auto change = draw_.next();
    if (!change) return;
    const double delta = state_.probe(*change);
    if (delta <= 0 || delta < temperature_ * thresholds_.draw(draw_))
      state_.commit();
    else
      state_.reject();
  }

  void keep_best() {
    if (state_.energy() >= best_energy_) return;
    best_energy_ = state_.energy();
    best_ = state_.seats().places();
  }

  State& state_;
  ChangeDraw draw_;
  Budget budget_;
  Progress progress_;
  Thresholds thresholds_;
  double first_temperature_ = 0;
  double temperature_ = 0;
  double best_energy_;
  std::vector<Place> best_;
};

Embedding map_annealing(const MappingProblem& problem);

}  // namespace

/// Simulated annealing: a drawn change that raises the cost by d is made with probability
/// exp(-d/T); T falls geometrically over the budget (`steps`, or the time until the deadline, or
/// 200 steps per rank) from a value set by what drawn changes cost. Returns the best embedding
/// seen. S. W. Bollinger and S. F. Midkiff, "Processor and link assignment in multicomputers using
/// simulated annealing" (ICPP 1988); changes go mostly next to partners, so that a step costs
/// O(degree) on networks of any size.
MapperInfo annealing() {
  return {"annealing",
          "simulated annealing with changes near partners",
          "Bollinger and Midkiff, ICPP 1988",
          map_annealing,
          {{"start", "mapper whose embedding is refined", "greedy"}},
          nullptr,
          true};
}

namespace {

Embedding map_annealing(const MappingProblem& problem) {
  const Embedding start = start_of(annealing(), problem);
  if (lowers_hops_only(problem)) {
    const std::int64_t steps = 2000 * std::int64_t{std::max(problem.guest.num_ranks(), 8)};
    if (auto refined = anneal_hops(problem, start, {1, steps}))
      return better_of(problem, problem.objective, start, std::move(*refined));
  }
  return refine_state(problem, start,
                      [&](auto& state) { return Annealing(problem, state).run(); });
}

}  // namespace

}  // namespace vtopo::mappers

#include "sim/mapping/portfolio/portfolio_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/mapping/portfolio/portfolio_budget.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/change_draw.hpp"

namespace vtopo {

namespace {

/// Above so many ranks fewer candidates are refined: each takes its own tables.
constexpr int many_ranks = 8192;

/// Up to so many ranks two runs are better than one that is twice as long.
constexpr int few_ranks = 1024;

/// Steps per rank that the general refinement makes if nothing else is said, at most.
constexpr double max_general_steps = 2000;

/// Simulations of the final search, where no deadline bounds it.
constexpr std::int64_t usual_simulations = 24;

/// A candidate that costs more than so many times the best is not worth an annealing, as long as
/// one is left.
constexpr double max_cost_ratio = 1.3;

/// Share of the simulated time that counts as a gain: less is rounding of the simulator.
constexpr double min_gain = 1e-9;

std::int64_t max_simulations(const SearchControl& control) {
  if (control.steps) return std::min(*control.steps, usual_simulations);
  return control.deadline ? Budget::unlimited : usual_simulations;
}

/// What is left of the budget once members have run, by estimates, in steps.
double default_steps(const MappingProblem& problem, double member_seconds) {
  const double left = std::max(portfolio_seconds(problem) - member_seconds,
                               (1 - member_share) * portfolio_seconds(problem));
  const double steps = left / seconds_per_step(problem);
  return portfolio_refinement(problem) == PortfolioRefinement::general
             ? std::min(steps, max_general_steps * std::max(problem.guest.num_ranks(), 8))
             : steps;
}

class Refinement {
 public:
  Refinement(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool,
             double member_seconds)
      : problem_(problem),
        control_(control),
        pool_(pool),
        ranks_(problem.guest.num_ranks()),
        steps_(control.steps      ? static_cast<double>(*control.steps)
               : control.deadline ? unlimited
                                  : default_steps(problem, member_seconds)) {}

  void run() {
    switch (portfolio_refinement(problem_)) {
      case PortfolioRefinement::hops:
        return anneal();
      case PortfolioRefinement::congestion:
        return relieve();
      case PortfolioRefinement::general:
        return refine();
    }
  }

 private:
  static constexpr double unlimited = 4e18;

  /// A short annealing of the few best, other refiners of use, then a long annealing.
  void anneal() {
    const std::size_t few = ranks_ > many_ranks ? 1 : 3;
    const std::string& annealing = mapper_of(MapperRole::hop_refiner).name;
    if (few > 1) run({annealing}, few, 0.2, 0.55);
    auto others = portfolio_refiners(problem_, control_, steps_ * 0.3);
    others.erase(std::remove(others.begin(), others.end(), annealing), others.end());
    run(others, 1, 0.3, 0.65);
    run(std::vector(num_runs(), annealing), 1, ranks_ > many_ranks ? 1 : 0.95, 0.95);
    if (ranks_ <= many_ranks) run({descent()}, 1, 1, 1);
  }

  /// Of the largest congestion, from the few best.
  void relieve() {
    const std::string& refiner = mapper_of(MapperRole::congestion_refiner).name;
    run({refiner}, ranks_ > many_ranks ? 1 : 3, 0.4, 0.7);
    run(std::vector(num_runs(), refiner), 1, 1, 1);
  }

  /// First the few best are brought to a local optimum, then every refiner of use goes on with the
  /// best of them, and the very best is brought to a local optimum again.
  void refine() {
    run({descent()}, ranks_ > many_ranks ? 2 : 4, 0.3, 0.65);
    run(portfolio_refiners(problem_, control_, steps_ * 0.6), ranks_ > many_ranks ? 1 : 2, 0.85,
        0.95);
    run({descent()}, 1, 1, 1);
  }

  static const std::string& descent() { return mapper_of(MapperRole::descent).name; }

  /// With a deadline every thread has its run; without, equal problems have equal results.
  std::size_t num_runs() const {
    if (control_.deadline) return static_cast<std::size_t>(std::max(control_.threads, 1));
    return ranks_ <= few_ranks ? 2 : 1;
  }

  /// Each refiner goes on with each of the best candidates.
  /// @param share of the steps and of the time that are left.
  void run(const std::vector<std::string>& refiners, std::size_t most, double share,
           double progress_to) {
    if (refiners.empty()) return;
    const std::vector<Candidate> starts = best(most);
    const double steps = steps_ * share / static_cast<double>(starts.size() * refiners.size());
    std::vector<PortfolioTask> tasks;
    for (const Candidate& start : starts)
      for (const std::string& refiner : refiners)
        tasks.push_back(task(
            refiner, start, steps_of_refiner(find_mapper(refiner), problem_, steps), num_tasks_++));
    pool_.run(tasks, control_.after_share(share), progress_, progress_to);
    if (steps_ < unlimited) steps_ *= 1 - share;
    progress_ = progress_to;
  }

  /// Copies, because the pool changes. Where a deadline is set, none that is far behind.
  std::vector<Candidate> best(std::size_t most) const {
    const auto& all = pool_.candidates();
    std::vector<Candidate> few;
    for (const Candidate& candidate : all) {
      const bool is_behind = candidate.cost.front() > max_cost_ratio * all.front().cost.front();
      if (few.size() == most || (control_.deadline && is_behind)) break;
      few.push_back(candidate);
    }
    return few;
  }

  PortfolioTask task(const std::string& refiner, const Candidate& start, double steps,
                     std::uint64_t seed) const {
    const auto find = [this, refiner, &start, steps, seed](auto deadline) {
      MappingProblem problem = problem_;
      problem.options = {{"start", mapper_of(MapperRole::baseline).name}};
      problem.seed += seed;
      SearchControl control = control_.of_part(deadline);
      control.start = &start.embedding;
      if (steps < unlimited / 1e3) control.steps = static_cast<std::int64_t>(steps);
      return find_mapper(refiner).map(problem, control);
    };
    return {origin_of(start.origin, refiner), 0, 0, PortfolioTask::Time::share, find};
  }

  /// `fold, refined by annealing, tabu and exchange`.
  static std::string origin_of(std::string start, const std::string& refiner) {
    constexpr std::string_view joint = " and ";
    if (start.ends_with(" " + refiner)) return start;
    if (start.find(',') == std::string::npos) return start + ", refined by " + refiner;
    if (const auto last = start.rfind(joint); last != std::string::npos)
      start = start.substr(0, last) + ", " + start.substr(last + joint.size());
    return start.append(joint) + refiner;
  }

  const MappingProblem& problem_;
  const SearchControl& control_;
  CandidatePool& pool_;
  int ranks_;
  double steps_;           ///< that are left
  double progress_ = 0.5;  ///< so far
  std::uint64_t num_tasks_ = 0;
};

}  // namespace

void refine_best(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool,
                 double member_seconds) {
  Refinement(problem, control, pool, member_seconds).run();
}

void shorten_simulated_time(const MappingProblem& problem, const SearchControl& control,
                            CandidatePool& pool) {
  Candidate best = pool.best();
  Occupancy occupancy(problem.allocation, best.embedding);
  const Partners partners(problem.guest);
  const HopTable table(problem.host, problem.allocation);
  ChangeDraw draw(partners, table, occupancy, problem.seed);
  bool improved = false;
  for (std::int64_t left = max_simulations(control); left > 0 && !pool.must_stop(); --left) {
    const auto change = draw.next();
    if (!change) continue;
    const RankChange back{change->rank, change->other, occupancy.place_of(change->rank)};
    occupancy.apply(*change);
    const Seconds time = control.simulated_time(occupancy.embedding());
    if (time.value < best.cost.front() * (1 - min_gain)) {
      best.cost.front() = time.value;
      improved = true;
    } else {
      occupancy.apply(back);
    }
  }
  if (!improved) return;
  const double time = best.cost.front();
  best.embedding = occupancy.embedding();
  best.cost = cost_of(problem.objective, problem.guest, problem.host, best.embedding);
  best.cost.insert(best.cost.begin(), time);
  best.origin += ", shortened by simulation";
  pool.add(std::move(best));
}

}  // namespace vtopo

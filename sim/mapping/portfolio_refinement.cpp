#include "sim/mapping/portfolio_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/mapping/budget.hpp"
#include "sim/mapping/change_draw.hpp"
#include "sim/mapping/portfolio_members.hpp"

namespace vtopo {

namespace {

using Clock = std::chrono::steady_clock;

/// Above so many ranks fewer candidates are refined: each takes its own tables.
constexpr int many_ranks = 32768;

/// Shares of the steps and of the time for the three parts.
constexpr double exchange_share = 0.3;
constexpr double refiner_share = 0.6;
constexpr double polish_share = 0.1;

/// Simulations of the final search, where no deadline bounds it.
constexpr std::int64_t usual_simulations = 24;

/// Share of the simulated time that counts as a gain: less is rounding of the simulator.
constexpr double least_gain = 1e-9;

std::int64_t most_simulations(const MappingProblem& problem) {
  if (problem.steps) return std::min(*problem.steps, usual_simulations);
  return problem.deadline ? Budget::unlimited : usual_simulations;
}

class Refinement {
 public:
  Refinement(const MappingProblem& problem, CandidatePool& pool)
      : problem_(problem),
        pool_(pool),
        steps_(problem.steps      ? static_cast<double>(*problem.steps)
               : problem.deadline ? unlimited
                                  : default_portfolio_steps(problem)) {}

  void run() {
    const bool many = problem_.guest.num_ranks() > many_ranks;
    exchange(many ? 2 : 4, exchange_share, 0.5, 0.65);
    run_refiners(many ? 1 : 2);
    exchange(1, polish_share, 0.95, 1);
  }

 private:
  static constexpr double unlimited = 4e18;

  /// The moment when a share of what is left of the time is gone.
  std::optional<Clock::time_point> after(double share) const {
    if (!problem_.deadline) return std::nullopt;
    const std::chrono::duration<double> left = *problem_.deadline - Clock::now();
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(left * share);
  }

  void exchange(std::size_t most, double share, double progress_from, double progress_to) {
    std::vector<PortfolioTask> tasks;
    const std::vector<Candidate> starts = best(most);
    const double steps = steps_ * share / static_cast<double>(starts.size());
    for (const Candidate& start : starts) tasks.push_back(task("exchange", start, steps, 0));
    pool_.run(tasks, after(share == polish_share ? 1 : share), progress_from, progress_to);
  }

  void run_refiners(std::size_t most) {
    const std::vector<Candidate> starts = best(most);
    double steps = steps_ * refiner_share / static_cast<double>(starts.size());
    const auto refiners = portfolio_refiners(problem_, steps);
    if (refiners.empty()) return;
    steps /= static_cast<double>(refiners.size());
    std::vector<PortfolioTask> tasks;
    for (const Candidate& start : starts)
      for (const std::string& refiner : refiners)
        tasks.push_back(task(refiner, start, steps_of_refiner(refiner, problem_, steps),
                             static_cast<std::uint64_t>(tasks.size())));
    pool_.run(tasks, after(0.9), 0.65, 0.95);
  }

  /// Copies, because the pool changes.
  std::vector<Candidate> best(std::size_t most) const {
    const auto& all = pool_.candidates();
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()))};
  }

  PortfolioTask task(const std::string& refiner, const Candidate& start, double steps,
                     std::uint64_t seed) const {
    const std::string origin =
        start.origin + (start.origin.find(',') == std::string::npos ? ", refined by " : " and ") +
        refiner;
    const auto find = [this, refiner, &start, steps, seed](auto deadline) {
      MappingProblem problem = problem_;
      problem.start = &start.embedding;
      problem.options = {{"start", "block"}};
      problem.seed += seed;
      if (steps < unlimited / 1e3) problem.steps = static_cast<std::int64_t>(steps);
      problem.deadline = deadline;
      problem.progress = nullptr;
      problem.threads = 1;
      return find_mapper(refiner).map(problem);
    };
    return {origin, 0, find};
  }

  const MappingProblem& problem_;
  CandidatePool& pool_;
  double steps_;
};

}  // namespace

void refine_best(const MappingProblem& problem, CandidatePool& pool) {
  Refinement(problem, pool).run();
}

void shorten_simulated_time(const MappingProblem& problem, CandidatePool& pool) {
  Candidate best = pool.best();
  Seats seats(problem.allocation, best.embedding);
  const Partners partners(problem.guest);
  const HopTable table(problem.host, problem.allocation);
  ChangeDraw draw(partners, table, seats, problem.seed);
  bool improved = false;
  for (std::int64_t left = most_simulations(problem); left > 0 && !pool.must_stop(); --left) {
    const auto change = draw.next();
    if (!change) continue;
    const RankChange back{change->rank, change->other, seats.place_of(change->rank)};
    seats.apply(*change);
    const Seconds time = problem.simulated_time(seats.embedding());
    if (time.value < best.cost.front() * (1 - least_gain)) {
      best.cost.front() = time.value;
      improved = true;
    } else {
      seats.apply(back);
    }
  }
  if (!improved) return;
  const double time = best.cost.front();
  best.embedding = seats.embedding();
  best.cost = cost_of(problem.objective, problem.guest, problem.host, best.embedding);
  best.cost.insert(best.cost.begin(), time);
  best.origin += ", shortened by simulation";
  pool.add(std::move(best));
}

}  // namespace vtopo

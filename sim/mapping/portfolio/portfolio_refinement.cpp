#include "sim/mapping/portfolio/portfolio_refinement.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/search/budget.hpp"

namespace vtopo::detail {

namespace {

/// Up to so many ranks two runs are better than one that is twice as long.
constexpr int few_ranks = 1024;

/// Steps per rank that the general refinement makes if nothing else is said, at most.
constexpr double max_general_steps = 2000;

/// A candidate that costs more than so many times the best is not worth an annealing, as long as
/// one is left.
constexpr double max_cost_ratio = 1.3;

/// Where a portfolio ends early: the share of the steps that a refiner has to gain this share of
/// the cost; else the rest is not made.
constexpr double trial_share = 0.12;
constexpr double worth_the_rest = 0.002;

/// Until a deadline the best few are annealed for this share of the time, to choose among them, if
/// there is time for so many steps per rank.
constexpr double short_share = 0.12;
constexpr double min_steps_per_rank = 500;

/// Until a deadline hops are annealed before congestion is relieved if that has time for so many
/// steps per rank.
constexpr double min_relief_steps = 60;

/// Where time comes first: share of the time until a deadline in which hop-bytes are lowered, and
/// that the simulator has at the end, at least; share of the steps for congestion at the end.
constexpr double hop_share = 0.25;
constexpr double simulation_time = 0.2;
constexpr double relief_share = 0.3;

/// What is left of the budget once members have run, by estimates; less where a portfolio ends
/// early.
double seconds_left(const MappingProblem& problem, const SearchControl& control,
                    double member_seconds) {
  constexpr double share_where_early = 0.22;
  const double all = portfolio_seconds(problem);
  if (ends_early(problem, control)) return share_where_early * all;
  return std::max(all - member_seconds, (1 - member_share) * all);
}

double default_steps(const MappingProblem& problem, double seconds) {
  const double steps = seconds / seconds_per_step(problem);
  return portfolio_refinement(problem) == PortfolioRefinement::general
             ? std::min(steps, max_general_steps * std::max(problem.guest.num_ranks(), 8))
             : steps;
}

/// Whether a deadline is set that is so many steps away.
bool has_time_for(const MappingProblem& problem, const SearchControl& control, double steps) {
  const auto left = time_left(control);
  return left && left->count() > steps * seconds_per_step(problem);
}

/// Share of the work of a portfolio that a refinement takes: from where to where.
struct ProgressRange {
  double from;
  double to;

  /// The share of the whole when so much of the refinement is done.
  double at(double done) const { return from + (to - from) * done; }
};
constexpr ProgressRange all_refinement{0.5, 0.95};

class Refinement {
 public:
  /// @param progress share of the whole work of a portfolio before and after.
  Refinement(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool,
             double seconds, ProgressRange progress, const Objective* starts_by = nullptr)
      : problem_(problem),
        control_(control),
        pool_(pool),
        starts_by_(starts_by != nullptr ? *starts_by : problem.objective),
        range_(progress),
        ranks_(problem.guest.num_ranks()),
        steps_(control.steps      ? static_cast<double>(*control.steps)
               : control.deadline ? unlimited
                                  : default_steps(problem, seconds)) {}

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
    if (ends_early(problem_, control_)) return try_and_go_on(mapper_of(MapperRole::hop_refiner));
    const std::size_t few = ranks_ > many_ranks || must_hurry() ? 1 : 3;
    const std::string& annealing = mapper_of(MapperRole::hop_refiner).name;
    if (few > 1) run({annealing}, few, control_.deadline ? short_share : 0.2, 0.1);
    auto others = portfolio_refiners(problem_, control_, steps_ * 0.3);
    others.erase(std::remove(others.begin(), others.end(), annealing), others.end());
    run(others, 1, 0.3, 0.3);
    run(last_runs(annealing, others), 1, ranks_ > many_ranks ? 1 : 0.95, 0.9);
    if (ranks_ <= many_ranks) run({descent()}, 1, 1, 1);
  }

  /// Whether an annealing of each of the few best would be over before it shows anything.
  bool must_hurry() const {
    return control_.deadline && !has_time_for(problem_, control_, min_steps_per_rank * ranks_);
  }

  /// Of the largest congestion, from the few best.
  void relieve() {
    if (ends_early(problem_, control_))
      return try_and_go_on(mapper_of(MapperRole::congestion_refiner));
    const std::string& refiner = mapper_of(MapperRole::congestion_refiner).name;
    run({refiner}, ranks_ > many_ranks ? 1 : 3, 0.4, 0.4);
    run(std::vector(num_runs(), refiner), 1, 1, 1);
  }

  /// From the best candidate, for longer only where a part of the steps gains.
  void try_and_go_on(const MapperInfo& refiner) {
    const double before = ranked().front().cost.front();
    run({refiner.name}, num_trials(), trial_share, 0.3);
    if (ranked().front().cost.front() < (1 - worth_the_rest) * before) run({refiner.name}, 1, 1, 1);
  }

  /// More starts where they are level: which of them is best to go on from shows only then.
  std::size_t num_trials() const {
    constexpr std::size_t most = 3;
    const std::vector<Candidate> all = ranked();
    const auto level = std::count_if(all.begin(), all.end(), [&](const Candidate& candidate) {
      return candidate.cost.front() <= all.front().cost.front() * (1 + worth_the_rest);
    });
    return std::min(most, static_cast<std::size_t>(level));
  }

  /// First the few best are brought to a local optimum, then every refiner of use goes on with the
  /// best of them, and the very best is brought to a local optimum again.
  void refine() {
    run({descent()}, ranks_ > many_ranks ? 2 : 4, 0.3, 0.3);
    run(portfolio_refiners(problem_, control_, steps_ * 0.6), ranks_ > many_ranks ? 1 : 2, 0.85,
        0.9);
    run({descent()}, 1, 1, 1);
  }

  /// Who has found the best so far goes on with it.
  std::vector<std::string> last_runs(const std::string& usual,
                                     const std::vector<std::string>& others) const {
    std::vector<std::string> runs(num_runs(), usual);
    const std::string origin = ranked().front().origin;
    for (const std::string& other : others)
      if (origin.ends_with(" " + other)) runs.assign(num_runs(), other);
    return runs;
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
    pool_.run(tasks, after_share(control_, share), range_.at(progress_), range_.at(progress_to));
    if (steps_ < unlimited) steps_ *= 1 - share;
    progress_ = progress_to;
  }

  /// Copies, because the pool changes. Where a deadline is set, none that is far behind.
  std::vector<Candidate> best(std::size_t most) const {
    const std::vector<Candidate> all = ranked();
    std::vector<Candidate> few;
    for (const Candidate& candidate : all) {
      const bool is_behind = candidate.cost.front() > max_cost_ratio * all.front().cost.front();
      if (few.size() == most || (control_.deadline && is_behind)) break;
      few.push_back(candidate);
    }
    return few;
  }

  /// The candidates by the objective of what is refined, which need not be that of the pool.
  std::vector<Candidate> ranked() const {
    std::vector<Candidate> all = pool_.candidates();
    if (starts_by_ == pool_.objective() || pool_.must_stop()) return all;
    for (Candidate& candidate : all) candidate.cost = cost_by_starts(candidate);
    std::sort(all.begin(), all.end(), is_better);
    return all;
  }

  /// Cost of a candidate by the objective of what is refined: the beginning of its cost in the pool
  /// if their objectives begin alike, else evaluated once.
  Cost cost_by_starts(const Candidate& candidate) const {
    const auto& wanted = starts_by_.sums;
    const auto& known = pool_.objective().sums;
    if (!wanted.empty() && wanted.size() <= known.size() &&
        std::equal(wanted.begin(), wanted.end(), known.begin()))
      return {candidate.cost.begin(),
              candidate.cost.begin() + static_cast<std::ptrdiff_t>(wanted.size())};
    Cost& cost = costs_[candidate.turn];
    if (cost.empty())
      cost = cost_of(starts_by_, problem_.guest, problem_.network, candidate.embedding);
    return cost;
  }

  PortfolioTask task(const std::string& refiner, const Candidate& start, double steps,
                     std::uint64_t seed) const {
    const auto find = [this, refiner, &start, steps, seed](auto deadline) {
      MappingProblem problem = problem_;
      problem.options = {{"start", mapper_of(MapperRole::baseline).name}};
      problem.seed += seed;
      SearchControl control = part_of(control_, deadline);
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
  const Objective& starts_by_;  ///< by it candidates are the best
  ProgressRange range_;
  int ranks_;
  double steps_;         ///< that are left
  double progress_ = 0;  ///< so far
  std::uint64_t num_tasks_ = 0;
  mutable std::map<std::size_t, Cost> costs_;  ///< by `starts_by_`, of the candidates by turn
};

}  // namespace

/// Where there is time, short routes come first: hop-bytes fall much faster than congestion does,
/// which then ends as low, with fewer of them.
void refine_best(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool,
                 double member_seconds) {
  const double seconds = seconds_left(problem, control, member_seconds);
  if (portfolio_refinement(problem) == PortfolioRefinement::congestion &&
      anneals_hops_first(problem) &&
      has_time_for(problem, control, min_relief_steps * problem.guest.num_ranks())) {
    MappingProblem hops = problem;
    hops.objective = {};
    const ProgressRange first{0.5, 0.5 + hop_share / 2};
    Refinement(hops, share_of_search(control, hop_share), pool, seconds, first).run();
  }
  Refinement(problem, control, pool, seconds, all_refinement).run();
}

/// By steps the first and the second are what portfolios under the first term of the objective, by
/// default max-congestion, and under hop-bytes do, so that none of them finds anything better; the
/// third relieves the links of what has few hop-bytes.
/// Until a deadline the time is short, and congestion is what matters.
void refine_for_time(const MappingProblem& problem, const SearchControl& control,
                     CandidatePool& pool, double member_seconds) {
  const double seconds = seconds_left(problem, control, member_seconds);
  MappingProblem hops = problem;
  hops.objective = {};
  if (control.deadline) {
    Refinement(hops, share_of_search(control, hop_share), pool, seconds, {0.5, 0.6}).run();
    Refinement(problem, share_of_search(control, 1 - simulation_time), pool, seconds, {0.6, 0.9})
        .run();
    return;
  }
  MappingProblem first = problem;
  first.objective.sums.resize(1);
  Refinement(first, control, pool, seconds, {0.5, 0.7}).run();
  Refinement(hops, control, pool, seconds, {0.7, 0.85}).run();
  Refinement(problem, share_of_search(control, relief_share), pool, seconds * relief_share,
             {0.85, 0.9}, &hops.objective)
      .run();
}

}  // namespace vtopo::detail

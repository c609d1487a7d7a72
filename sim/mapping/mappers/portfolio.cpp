#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "sim/mapping/portfolio/portfolio_refinement.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Up to so many ranks refiners have a run of their own.
constexpr int max_ranks_of_alone = 256;

/// Share of the time of a round by which members should have ended, if refinement follows.
constexpr double member_time = 0.6;

/// The first round until a deadline takes at least so much of what a portfolio takes without one.
constexpr double first_round = 1.0 / 4;

Embedding map_portfolio(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Portfolio: runs every mapper that can map the problem in reasonable time, refines the best few
/// with what is left of the budget and returns the best under the objective: never worse than a
/// member. Where time comes first, candidates of the least congestion and of the fewest hop-bytes
/// are simulated, and the quickest is returned. Up to 100,000 placements are all looked at. Which
/// algorithm is best changes from instance to instance, and running several is better than any one:
/// B. A. Huberman, R. M. Lukose and T. Hogg, "An economics approach to hard computational problems"
/// (Science 1997); on mapping, the comparison in T. Hoefler and M. Snir (ICS 2011). Members run on
/// all threads; with `steps` the result does not depend on how many. Until a deadline it works in
/// rounds, each as long as all before it and from what they have found. In each the quickest
/// members run first, and what takes longer than is left is not begun.
MapperInfo portfolio() {
  return {
      .name = "portfolio",
      .summary = "runs the mappers that suit the problem, refines and returns the best",
      .reference = "Huberman et al., Science 1997; Hoefler and Snir, ICS 2011",
      .options = {{"members", "auto, quick, or mappers joined by +, as in fold+multilevel", "auto"},
                  {"refine", "yes, or no: the best member as it is", "yes"}},
      .map = map_portfolio,
      .role = MapperRole::default_choice,
      .uses_seed = true,
      .anytime = true,
      .runs_mappers = true};
}

namespace {

bool wants_refinement(const MappingProblem& problem) {
  const std::string refine = option_value(portfolio(), problem, "refine");
  if (refine != "yes" && refine != "no")
    throw UsageError(
        fmt::format("option refine={} of mapper portfolio; accepted: yes, no", refine));
  return refine == "yes";
}

/// Runs a mapper from its own start or, to go on in a later round, from the best that is known.
auto run_alone(const MappingProblem& problem, const SearchControl& control, MapperSpec spec,
               std::optional<Embedding> start = std::nullopt) {
  return [&problem, &control, spec = std::move(spec), start = std::move(start)](auto deadline) {
    SearchControl part = part_of(control, deadline);
    part.start = start ? &*start : nullptr;
    return run_mapper(spec, problem, part);
  };
}

/// Those that have not done all that they would do in a longer time.
std::vector<PortfolioTask> member_tasks(const MappingProblem& problem, const SearchControl& control,
                                        const CandidatePool& pool) {
  std::vector<PortfolioTask> tasks;
  for (const PortfolioMember& member :
       portfolio_members(problem, control, option_value(portfolio(), problem, "members"))) {
    MapperSpec spec{member.name, {}};
    if (member.is_quick) spec.options["effort"] = "quick";
    std::string origin = to_string(spec);
    const MapperInfo& info = find_mapper(member.name);
    const bool by_clock = info.anytime || !info.options.empty();
    if (pool.has_ended(origin, by_clock)) continue;
    std::optional<Embedding> start;
    if (by_clock && !pool.candidates().empty()) start = pool.best().embedding;
    using Time = PortfolioTask::Time;
    tasks.push_back({std::move(origin), member.seconds, member.min_seconds,
                     member.is_mainstay ? Time::problem : Time::run,
                     run_alone(problem, control, std::move(spec), std::move(start))});
  }
  return tasks;
}

/// Where steps are the budget, every refiner by itself, from its own start and with all of them: a
/// portfolio is then not worse than any mapper with the same steps. Of few ranks only: it takes as
/// long as all refiners.
std::vector<PortfolioTask> refiner_tasks(const MappingProblem& problem,
                                         const SearchControl& control) {
  std::vector<PortfolioTask> tasks;
  if (!control.steps || control.deadline || problem.guest.num_ranks() > max_ranks_of_alone)
    return tasks;
  for (const MapperInfo& info : all_mappers()) {
    if (!is_refiner(info) || !info.self_contained || unsupported_reason({info.name, {}}, problem))
      continue;
    tasks.push_back({info.name, 0, 0, PortfolioTask::Time::share,
                     run_alone(problem, control, {info.name, {}})});
  }
  return tasks;
}

/// The embedding that the search starts from is as good a candidate as any.
void add_start(const MappingProblem& problem, const SearchControl& control, CandidatePool& pool) {
  if (control.start == nullptr) return;
  pool.add({*control.start,
            cost_of(problem.objective, problem.guest, problem.network, *control.start),
            "the order given"});
}

/// The best of all placements; a known one unless another is better.
Embedding best_placement(const MappingProblem& problem, const SearchControl& control,
                         const Candidate& known) {
  Cost least = known.cost;
  Embedding best = known.embedding;
  visit_placements(problem, control, problem.objective, known.embedding,
                   [&](const ObjectiveState& state) {
                     if (!costs_less(state.cost(), least)) return;
                     std::copy_n(state.cost().begin(), least.size(), least.begin());
                     best = state.occupancy().embedding();
                   });
  return best;
}

/// When rounds end: after half the time, half of that and so on, so that a search begins with all
/// the rounds of one that has half the time, and cannot end up worse.
std::vector<std::optional<SearchControl::Clock::time_point>> ends_of_rounds(
    const MappingProblem& problem, const SearchControl& control) {
  std::vector<std::optional<SearchControl::Clock::time_point>> ends{control.deadline};
  if (!control.deadline || control.steps) return ends;
  const std::chrono::duration<double> first{first_round * portfolio_seconds(problem)};
  const auto now = SearchControl::Clock::now();
  for (auto round = (*control.deadline - now) / 2; round >= first; round /= 2)
    ends.insert(ends.begin(), now + round);
  return ends;
}

Embedding map_portfolio(const MappingProblem& given, const SearchControl& control) {
  const bool by_time = given.objective.time != TimeFirst::no && control.time.simulate;
  if (given.objective.time == TimeFirst::simulated && !by_time)
    throw UsageError("objective simulated-time needs a simulator, which there is not here");
  MappingProblem problem = given;
  problem.objective = static_part(given.objective);
  MappingProblem::Shared shared;
  problem.shared = &shared;
  const bool refine = wants_refinement(problem);
  const auto ends = ends_of_rounds(problem, control);
  SearchControl round = control;
  if (by_time) round.improved = nullptr;  // their value is simulated, after all of them
  CandidatePool pool(problem, round);
  for (std::size_t r = 0; r < ends.size(); ++r) {
    if (r > 0 && (control.must_stop() || pool.is_solved())) break;
    round.deadline = ends[r];
    round.progress = r + 1 == ends.size() ? control.progress : nullptr;
    const auto tasks = member_tasks(problem, round, pool);
    pool.run(tasks, refine ? after_share(round, member_time) : round.deadline, 0, refine ? 0.5 : 1);
    add_start(problem, control, pool);
    if (!refine || pool.is_solved() || pool.must_stop()) continue;
    if (has_few_placements(problem)) {
      const PortfolioTask all{
          "all placements", 0, 0, PortfolioTask::Time::run,
          [&, known = pool.best()](auto) { return best_placement(problem, control, known); }};
      pool.run(std::span(&all, 1), std::nullopt, 0.5, 1);
      break;
    }
    double seconds = 0;
    for (const PortfolioTask& task : tasks) seconds += task.seconds;
    by_time ? refine_for_time(problem, round, pool, seconds)
            : refine_best(problem, round, pool, seconds);
    pool.run(refiner_tasks(given, round), std::nullopt, 0.95, 1);
  }
  const Candidate best = by_time ? fastest_candidate(problem, control, pool, refine) : pool.best();
  if (control.remark)
    control.remark(fmt::format("portfolio: {} ({} tried)", best.origin,
                               counted(pool.candidates().size(), "placement")));
  if (control.progress) control.progress(1);
  return best.embedding;
}

}  // namespace

}  // namespace vtopo::detail::mappers

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "sim/mapping/portfolio/portfolio_refinement.hpp"
#include "topology/base/error.hpp"

namespace vtopo::mappers {

namespace {

/// Share of the time until a deadline by which members should have ended, if refinement follows.
constexpr double member_time = 0.6;

Embedding map_portfolio(const MappingProblem& problem);

}  // namespace

/// Portfolio: runs every mapper that can map the problem in reasonable time, refines the best few
/// with what is left of the budget and returns the best under the objective: never worse than a
/// member. Which algorithm is best changes from instance to instance, and running several is better
/// than any one: B. A. Huberman, R. M. Lukose and T. Hogg, "An economics approach to hard
/// computational problems" (Science 1997); on mapping, the comparison in T. Hoefler and M. Snir
/// (ICS 2011). Members run on all threads; with `steps` the result does not depend on how many.
/// Where time is short the quickest members run first, and what takes longer than is left is not
/// begun.
MapperInfo portfolio() {
  return {"portfolio",
          "runs the mappers that suit the problem, refines and returns the best",
          "Huberman et al., Science 1997; Hoefler and Snir, ICS 2011",
          map_portfolio,
          {{"members", "auto, or mappers joined by +, as in fold+multilevel", "auto"},
           {"refine", "yes, or no: the best member as it is", "yes"}},
          nullptr,
          true};
}

namespace {

bool wants_refinement(const MappingProblem& problem) {
  const std::string refine = option_value(portfolio(), problem, "refine");
  if (refine != "yes" && refine != "no")
    throw UsageError(
        fmt::format("option refine={} of mapper portfolio; accepted: yes, no", refine));
  return refine == "yes";
}

std::vector<PortfolioTask> member_tasks(const MappingProblem& problem) {
  std::vector<PortfolioTask> tasks;
  for (const PortfolioMember& member :
       portfolio_members(problem, option_value(portfolio(), problem, "members"))) {
    const auto find = [&problem, name = member.name](auto deadline) {
      MappingProblem own = problem;
      own.deadline = deadline;
      own.progress = nullptr;
      own.remark = nullptr;
      own.improved = nullptr;
      own.threads = 1;
      return run_mapper({name, {}}, own);
    };
    using Time = PortfolioTask::Time;
    tasks.push_back({member.name, member.seconds, member.least_seconds,
                     member.is_mainstay ? Time::problem : Time::run, find});
  }
  return tasks;
}

std::optional<std::chrono::steady_clock::time_point> moment_of_members(
    const MappingProblem& problem) {
  using Clock = std::chrono::steady_clock;
  if (!problem.deadline) return std::nullopt;
  const auto now = Clock::now();
  return now + std::chrono::duration_cast<Clock::duration>((*problem.deadline - now) * member_time);
}

/// `portfolio: fold is the best of 14 different embeddings; annealing lowers the first figure by
/// 2.5 %`.
std::string told(const Candidate& best, const Candidate& member, std::size_t num_found) {
  std::string text =
      num_found == 1
          ? fmt::format("portfolio: {} is the one embedding that was made", member.origin)
          : fmt::format("portfolio: {} is the best of {} different embeddings", member.origin,
                        num_found);
  if (best.origin != member.origin)
    text += fmt::format(
        "; {} lowers the first figure by {:.1f} %", best.origin,
        member.cost.front() > 0 ? 100 * (1 - best.cost.front() / member.cost.front()) : 0.0);
  return text;
}

Embedding map_portfolio(const MappingProblem& problem) {
  if (problem.objective.simulated_time && !problem.simulated_time)
    throw UsageError("objective simulated-time needs a simulator, which there is not here");
  const bool refine = wants_refinement(problem);
  CandidatePool pool(problem);
  const auto tasks = member_tasks(problem);
  pool.run(tasks, refine ? moment_of_members(problem) : problem.deadline, 0, refine ? 0.5 : 1);
  const Candidate member = pool.best();
  const std::size_t num_found = pool.candidates().size();
  if (refine && !pool.must_stop() && !pool.is_solved()) {
    double seconds = 0;
    for (const PortfolioTask& task : tasks) seconds += task.seconds;
    refine_best(problem, pool, seconds);
    if (problem.objective.simulated_time) shorten_simulated_time(problem, pool);
  }
  if (problem.remark) problem.remark(told(pool.best(), member, num_found));
  if (problem.progress) problem.progress(1);
  return pool.best().embedding;
}

}  // namespace

}  // namespace vtopo::mappers

#include "sim/mapping/portfolio/portfolio_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "netmodels/routing.hpp"
#include "sim/evaluation/bounds_library.hpp"
#include "sim/mapping/search/budget.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

constexpr double rounding = 1e-12;

/// Share of the time until the deadline that bounds may take.
constexpr double max_share_of_time = 0.12;

/// About what bounds take.
double seconds_of_bounds(const MappingProblem& problem) {
  if (&vtopo_lower_bounds == nullptr) return 0;
  return vtopo_lower_bounds.seconds(problem.guest, problem.network, problem.allocation);
}

}  // namespace

bool has_time_for_bounds(const MappingProblem& problem, const SearchControl& control) {
  const auto left = time_left(control);
  return !left || seconds_of_bounds(problem) < max_share_of_time * left->count();
}

CostFloor::CostFloor(const MappingProblem& problem, const SearchControl& control) {
  if (problem.bounds == nullptr && !has_time_for_bounds(problem, control)) return;
  const Bounds bounds = problem.bounds != nullptr
                            ? *problem.bounds
                            : lower_bounds(problem.guest, problem.network, problem.allocation);
  auto sums = problem.objective.sums;
  if (sums.empty()) sums.push_back({{&hop_bytes_measure(), 1}});
  for (const auto& sum : sums) {
    double floor = 0;
    for (const auto& [measure, weight] : sum)
      if (measure->floor) floor += weight * measure->floor(problem, bounds);
    sums_.push_back(floor);
  }
}

bool CostFloor::reached(const Cost& cost) const {
  return !sums_.empty() &&
         std::equal(sums_.begin(), sums_.end(), cost.begin(), cost.end(),
                    [](double floor, double value) { return value <= floor * (1 + rounding); });
}

namespace {

/// Of more ranks no two hosts with two slots each have few placements.
constexpr int max_ranks_of_few = 1024;

/// Sums of a state have been changed as often as there are placements.
constexpr double slack_of_sums = 1e-9;

/// Places the ranks one after the other: on each host that has a slot left, where a later rank
/// makes room if need be.
class PlacementWalk {
 public:
  PlacementWalk(const MappingProblem& problem, const SearchControl& control, ObjectiveState& state,
                const std::function<void(const ObjectiveState&)>& visit)
      : control_(control), state_(state), visit_(visit), left_(problem.allocation.slots) {}

  void place_from(int rank) {
    if (rank == state_.occupancy().num_ranks()) return visit_(state_);
    for (int p = 0; p < state_.occupancy().num_places() && !control_.must_stop(); ++p) {
      if (left_[index(p)] == 0) continue;
      move(Rank{rank}, id_at<Place>(index(p)));
      --left_[index(p)];
      place_from(rank + 1);
      ++left_[index(p)];
    }
  }

 private:
  void move(Rank rank, Place to) {
    const Occupancy& now = state_.occupancy();
    if (now.place_of(rank) == to) return;
    RankChange change{rank, std::nullopt, to};
    if (!now.has_free_slot(to)) {
      const auto there = now.ranks_at(to);
      change.other =
          *std::find_if(there.begin(), there.end(), [&](Rank other) { return other > rank; });
    }
    state_.probe(change);
    state_.commit();
  }

  const SearchControl& control_;
  ObjectiveState& state_;
  const std::function<void(const ObjectiveState&)>& visit_;
  std::vector<int> left_;  ///< slots of every place that the ranks before do not have
};

}  // namespace

double count_placements(int num_ranks, const Allocation& allocation) {
  if (num_ranks > max_ranks_of_few) return std::numeric_limits<double>::infinity();
  // Ways to place so many of the ranks on the hosts before.
  std::vector<double> ways(index(num_ranks) + 1, 0.0);
  ways[0] = 1;
  for (const int slots : allocation.slots) {
    if (ways.back() > max_placements) break;
    for (std::size_t placed = ways.size(); placed-- > 0;) {
      double chosen = 1;  // sets of ranks for this host
      for (std::size_t more = 1; more <= index(slots) && placed + more < ways.size(); ++more) {
        const auto left = static_cast<double>(ways.size() - placed - more);
        chosen *= left / static_cast<double>(more);
        ways[placed + more] += ways[placed] * chosen;
      }
    }
  }
  return ways.back();
}

bool has_few_placements(const MappingProblem& problem) {
  return !depends_on_traffic(problem.network.routing()) &&
         count_placements(problem.guest.num_ranks(), problem.allocation) <= max_placements + 0.5;
}

void visit_placements(const MappingProblem& problem, const SearchControl& control,
                      const Objective& objective, const Embedding& start,
                      const std::function<void(const ObjectiveState&)>& visit) {
  ObjectiveState state(problem, start, objective);
  PlacementWalk(problem, control, state, visit).place_from(0);
}

bool costs_less(const Cost& a, const Cost& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double slack = slack_of_sums * std::abs(b[i]);
    if (a[i] < b[i] - slack) return true;
    if (a[i] > b[i] + slack) return false;
  }
  return false;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds of estimates from which on they are compared with the clock, and how much slower a
/// machine may seem, less to tasks that do less where time is short.
constexpr double min_estimated = 0.02;
constexpr double max_slowness = 5;
constexpr double max_slowness_of_patient = 1.5;

/// When a task should end that starts now, with others to come after it on as many threads.
std::optional<Clock::time_point> share_of_time(std::optional<Clock::time_point> until,
                                               std::size_t tasks_left, int threads) {
  if (!until) return std::nullopt;
  const auto lanes = static_cast<std::size_t>(std::max(threads, 1));
  const auto rounds = static_cast<Clock::rep>((tasks_left + lanes - 1) / lanes);
  const auto now = Clock::now();
  return *until <= now ? *until : now + (*until - now) / std::max<Clock::rep>(rounds, 1);
}

}  // namespace

bool is_better(const Candidate& a, const Candidate& b) {
  return std::tie(a.cost, a.turn) < std::tie(b.cost, b.turn);
}

void CandidatePool::run(std::span<const PortfolioTask> tasks, std::optional<TimePoint> until,
                        double progress_from, double progress_to) {
  if (is_solved()) return;
  std::vector<std::optional<Candidate>> found(tasks.size());
  // Tasks without an estimate count alike.
  const auto work_of = [](const PortfolioTask& task) { return std::max(task.seconds, 1e-3); };
  double work = 0, ended = 0;
  for (const PortfolioTask& task : tasks) work += work_of(task);
  std::atomic<std::size_t> solved_by = tasks.size();
  const bool is_first = candidates_.empty();
  parallel_for(tasks.size(), control_.threads, [&](std::size_t t) {
    const bool needed = is_first && t == 0;
    if (needed || (t < solved_by && has_time_for(tasks[t], until)))
      attempt(tasks[t], deadline_of(tasks[t], until, tasks.size() - t), found[t]);
    const std::lock_guard lock(mutex_);
    if (found[t] && floor_.reached(found[t]->cost)) solved_by = std::min(solved_by.load(), t);
    ended += work_of(tasks[t]);
    const double share = std::min(ended / work, 1.0);
    if (control_.progress) control_.progress(progress_from + (progress_to - progress_from) * share);
  });
  // What other threads began before a task ended that solves the problem would not be here without.
  for (std::size_t t = 0; t < std::min(tasks.size(), solved_by + 1); ++t) {
    if (found[t]) add(std::move(*found[t]));
  }
  if (candidates_.empty() && error_) std::rethrow_exception(error_);
}

std::optional<CandidatePool::TimePoint> CandidatePool::deadline_of(const PortfolioTask& task,
                                                                   std::optional<TimePoint> until,
                                                                   std::size_t tasks_left) const {
  // One that has an answer at once does more as long as it may: others have their turn, too.
  constexpr double time_of_quick = 0.85;
  if (task.time == PortfolioTask::Time::problem)
    return task.min_seconds < task.seconds ? after_share(control_, time_of_quick)
                                           : control_.deadline;
  if (task.time == PortfolioTask::Time::run) return until;
  return share_of_time(until, tasks_left, control_.threads);
}

bool CandidatePool::has_time_for(const PortfolioTask& task, std::optional<TimePoint> until) {
  if (must_stop()) return false;
  if (!until) return true;
  if (task.time == PortfolioTask::Time::problem)
    return !control_.deadline ||
           Clock::now() + std::chrono::duration<double>(task.min_seconds) <= *control_.deadline;
  const std::lock_guard lock(mutex_);
  const double most = task.min_seconds < task.seconds ? max_slowness_of_patient : max_slowness;
  const double slowness =
      estimated_ < min_estimated ? 1 : std::clamp(taken_ / estimated_, 0.5, most);
  return Clock::now() + std::chrono::duration<double>(task.min_seconds * slowness) <= *until;
}

void CandidatePool::attempt(const PortfolioTask& task, std::optional<TimePoint> deadline,
                            std::optional<Candidate>& found) {
  try {
    const auto start = Clock::now();
    Embedding embedding = task.find(deadline);
    time(task, Clock::now() - start, deadline ? std::optional(*deadline - start) : std::nullopt);
    Cost cost = cost_of(problem_.objective, problem_.guest, problem_.network, embedding);
    note(cost);
    found = Candidate{std::move(embedding), std::move(cost), task.origin};
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void CandidatePool::time(const PortfolioTask& task, Clock::duration taken,
                         std::optional<Clock::duration> given) {
  const std::lock_guard lock(mutex_);
  ended_[task.origin] = given ? std::chrono::duration<double>(taken) / *given : 0;
  estimated_ += task.seconds;
  taken_ += std::chrono::duration<double>(taken).count();
}

bool CandidatePool::has_ended(const std::string& origin, bool goes_by_clock) const {
  // Mappers that bisect make their full effort where it takes less than an eighth of their time.
  constexpr double small_part = 0.125;
  const auto found = ended_.find(origin);
  return found != ended_.end() && (!goes_by_clock || found->second < small_part);
}

void CandidatePool::note(const Cost& cost) {
  if (!control_.improved) return;
  const std::lock_guard lock(mutex_);
  if (reported_ && *reported_ <= cost) return;
  reported_ = cost;
  control_.report_value(cost.front());
}

bool CandidatePool::has(const Embedding& embedding) const {
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& other) { return other.embedding == embedding; });
}

void CandidatePool::add(Candidate candidate) {
  if (has(candidate.embedding)) return;
  candidate.turn = candidates_.size();
  const auto place = std::upper_bound(candidates_.begin(), candidates_.end(), candidate, is_better);
  candidates_.insert(place, std::move(candidate));
}

}  // namespace vtopo::detail

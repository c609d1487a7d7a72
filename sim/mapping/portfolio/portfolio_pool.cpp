#include "sim/mapping/portfolio/portfolio_pool.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <tuple>
#include <utility>

#include "topology/base/parallel.hpp"

namespace vtopo::detail {

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
  std::size_t ended = 0;
  std::atomic<std::size_t> solved_by = tasks.size();
  const bool is_first = candidates_.empty();
  parallel_for(tasks.size(), control_.threads, [&](std::size_t t) {
    const bool needed = is_first && t == 0;
    if (needed || (t < solved_by && has_time_for(tasks[t], until)))
      attempt(tasks[t], deadline_of(tasks[t], until, tasks.size() - t), found[t]);
    const std::lock_guard lock(mutex_);
    if (found[t] && floor_.reached(found[t]->cost)) solved_by = std::min(solved_by.load(), t);
    ++ended;
    const double share = static_cast<double>(ended) / static_cast<double>(tasks.size());
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
  if (task.time == PortfolioTask::Time::problem) return control_.deadline;
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
    time(task, Clock::now() - start);
    Cost cost = cost_of(problem_.objective, problem_.guest, problem_.host, embedding);
    note(cost);
    found = Candidate{std::move(embedding), std::move(cost), task.origin};
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void CandidatePool::time(const PortfolioTask& task, Clock::duration taken) {
  const std::lock_guard lock(mutex_);
  estimated_ += task.seconds;
  taken_ += std::chrono::duration<double>(taken).count();
}

void CandidatePool::note(const Cost& cost) {
  if (!control_.improved) return;
  const std::lock_guard lock(mutex_);
  if (reported_ && *reported_ <= cost) return;
  reported_ = cost;
  control_.improved(cost);
}

bool CandidatePool::has(const Embedding& embedding) const {
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& other) { return other.embedding == embedding; });
}

void CandidatePool::add(Candidate candidate) {
  if (has(candidate.embedding)) return;
  candidate.turn = candidates_.size();
  const auto place =
      std::upper_bound(candidates_.begin(), candidates_.end(), candidate, is_better);
  candidates_.insert(place, std::move(candidate));
}

}  // namespace vtopo::detail

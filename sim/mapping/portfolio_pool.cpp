#include "sim/mapping/portfolio_pool.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "topology/parallel.hpp"

namespace vtopo {

namespace {

using Clock = std::chrono::steady_clock;

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

bool CandidatePool::must_stop() const {
  return (problem_.stop != nullptr && problem_.stop->load(std::memory_order_relaxed)) ||
         (problem_.deadline && Clock::now() >= *problem_.deadline);
}

void CandidatePool::run(std::span<const PortfolioTask> tasks, std::optional<TimePoint> until,
                        double progress_from, double progress_to) {
  std::vector<std::optional<Candidate>> found(tasks.size());
  std::size_t ended = 0;
  const bool is_first = candidates_.empty();
  parallel_for(tasks.size(), problem_.threads, [&](std::size_t t) {
    attempt(tasks[t], is_first && t == 0, share_of_time(until, tasks.size() - t, problem_.threads),
            found[t]);
    const std::lock_guard lock(mutex_);
    ++ended;
    const double share = static_cast<double>(ended) / static_cast<double>(tasks.size());
    if (problem_.progress) problem_.progress(progress_from + (progress_to - progress_from) * share);
  });
  for (auto& candidate : found) {
    if (!candidate || has(candidate->embedding)) continue;
    if (problem_.objective.simulated_time) put_time_in_front(*candidate);
    add(std::move(*candidate));
  }
  if (candidates_.empty() && error_) std::rethrow_exception(error_);
}

void CandidatePool::attempt(const PortfolioTask& task, bool needed,
                            std::optional<TimePoint> deadline, std::optional<Candidate>& found) {
  if (!needed) {
    if (must_stop()) return;
    const std::chrono::duration<double> estimate(task.seconds);
    if (problem_.deadline && Clock::now() + estimate > *problem_.deadline) return;
  }
  try {
    Embedding embedding = task.find(deadline);
    Cost cost = cost_of(problem_.objective, problem_.guest, problem_.host, embedding);
    note(cost);
    found = Candidate{std::move(embedding), std::move(cost), task.origin};
  } catch (const std::exception&) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void CandidatePool::note(const Cost& cost) {
  if (!problem_.improved || problem_.objective.simulated_time) return;
  const std::lock_guard lock(mutex_);
  if (told_ && *told_ <= cost) return;
  told_ = cost;
  problem_.improved(cost);
}

bool CandidatePool::has(const Embedding& embedding) const {
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& other) { return other.embedding == embedding; });
}

void CandidatePool::add(Candidate candidate) {
  const auto place =
      std::upper_bound(candidates_.begin(), candidates_.end(), candidate,
                       [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  candidates_.insert(place, std::move(candidate));
}

/// Where no time is left to simulate, the static figures rank the rest, behind what was simulated.
void CandidatePool::put_time_in_front(Candidate& candidate) {
  double seconds = std::numeric_limits<double>::infinity();
  if (candidates_.empty() || !must_stop())
    seconds = problem_.simulated_time(candidate.embedding).value;
  candidate.cost.insert(candidate.cost.begin(), seconds);
  if (!problem_.improved || (told_ && *told_ <= candidate.cost)) return;
  told_ = candidate.cost;
  problem_.improved(candidate.cost);
}

}  // namespace vtopo

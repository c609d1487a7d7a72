#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/objective_state.hpp"

namespace vtopo::detail {

/// What no embedding of a problem costs less than, sum by sum of the objective. Measures without a
/// bound count as 0, so that a sum of them is reached by 0 alone.
class CostFloor {
 public:
  /// Looks for the bounds of the problem if there is time; of the sums, whatever comes before them.
  CostFloor(const MappingProblem& problem, const SearchControl& control);

  /// Whether an embedding of this cost is as good as any, but for rounding.
  bool reached(const Cost& cost) const;

 private:
  std::vector<double> sums_;  ///< empty: never reached
};

/// Whether bounds take a small part of the time until the deadline, if there is one.
bool has_time_for_bounds(const MappingProblem& problem, const SearchControl& control);

/// Problems with no more placements are solved by looking at all of them.
constexpr int max_placements = 100'000;

/// Ways to place ranks on the hosts of an allocation; of those above `max_placements` some.
double count_placements(int num_ranks, const Allocation& allocation);

/// Whether all placements of a problem can be looked at: they are few, and routes do not follow
/// from the traffic.
bool has_few_placements(const MappingProblem& problem);

/// Calls `visit` with every placement, each once, the hosts of the first ranks varying slowest,
/// until it must stop. The state knows the cost of the placement, but for rounding.
/// @param start any embedding.
void visit_placements(const MappingProblem& problem, const SearchControl& control,
                      const Objective& objective, const Embedding& start,
                      const std::function<void(const ObjectiveState&)>& visit);

/// Whether the first value that differs by more than rounding is smaller in `a`, which may be
/// longer.
bool costs_less(const Cost& a, const Cost& b);

/// Embedding that a portfolio has found.
struct Candidate {
  Embedding embedding;
  Cost cost;             ///< evaluated anew, by the sums of the objective
  std::string origin;    ///< `fold`, or `fold, refined by exchange`
  std::size_t turn = 0;  ///< so many were in the pool before it
};

/// Whether `a` costs less; at equal costs who was there first.
bool is_better(const Candidate& a, const Candidate& b);

/// One way to find an embedding.
struct PortfolioTask {
  std::string origin;
  double seconds = 0;      ///< about what it takes if nothing presses
  double min_seconds = 0;  ///< not begun where the time is shorter
  /// What bounds its time: an even share of what is left, all that is left for the tasks of its
  /// run, or all that the problem has, whatever tasks took before it.
  enum class Time { share, run, problem } time = Time::share;
  /// @param deadline of this task; absent where the problem has none.
  std::function<Embedding(std::optional<std::chrono::steady_clock::time_point> deadline)> find;
};

/// Embeddings that a portfolio has found, the best first, each once. Equal tasks give an equal
/// pool, whatever the number of threads. Once an embedding is as good as any, no task is begun.
class CandidatePool {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Both must outlive the pool. The deadline may move between runs.
  CandidatePool(const MappingProblem& problem, const SearchControl& control)
      : problem_(problem), control_(control), floor_(problem, control) {}

  /// Runs tasks on the threads of the search and takes in what they find. A task that throws is
  /// left out, and so are, but for the first of an empty pool, tasks that time does not allow:
  /// machines may be slower than estimates, by as much as the tasks before were.
  /// @param until when tasks should have ended.
  /// @param progress_from, progress_to share of the whole work before and after.
  /// @throws what the first task threw if the pool stays empty.
  void run(std::span<const PortfolioTask> tasks, std::optional<TimePoint> until,
           double progress_from, double progress_to);

  /// Takes in an embedding of known cost, unless it is there; behind others of the same cost.
  void add(Candidate candidate);

  const Candidate& best() const { return candidates_.front(); }
  const std::vector<Candidate>& candidates() const { return candidates_; }

  /// Whether a task of that name has ended and would do no more in a longer time: one that goes by
  /// the clock has then needed a small part of its time.
  bool has_ended(const std::string& origin, bool goes_by_clock) const;

  /// By what the candidates are ranked.
  const Objective& objective() const { return problem_.objective; }

  /// Whether the time is up or somebody has said stop.
  bool must_stop() const { return control_.must_stop(); }

  /// Whether no embedding can be better than the best.
  bool is_solved() const { return !candidates_.empty() && floor_.reached(best().cost); }

 private:
  bool has_time_for(const PortfolioTask& task, std::optional<TimePoint> until);
  void attempt(const PortfolioTask& task, std::optional<TimePoint> deadline,
               std::optional<Candidate>& found);
  std::optional<TimePoint> deadline_of(const PortfolioTask& task, std::optional<TimePoint> until,
                                       std::size_t tasks_left) const;
  void time(const PortfolioTask& task, std::chrono::steady_clock::duration taken,
            std::optional<std::chrono::steady_clock::duration> given);
  bool has(const Embedding& embedding) const;
  void note(const Cost& cost);

  const MappingProblem& problem_;
  const SearchControl& control_;
  CostFloor floor_;
  std::vector<Candidate> candidates_;
  std::mutex mutex_;  ///< of what tasks report
  std::optional<Cost> reported_;
  std::exception_ptr error_;             ///< of the first task that threw
  std::map<std::string, double> ended_;  ///< share of its time that each task took, at last
  double estimated_ = 0;  ///< seconds of the tasks that have ended, by their estimates
  double taken_ = 0;      ///< and by the clock
};

}  // namespace vtopo::detail

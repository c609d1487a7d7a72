#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <optional>
#include <span>
#include <vector>

#include "sim/run/experiment.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/mapping_runs.hpp"
#include "sim/run/observer.hpp"
#include "sim/run/report.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Simulates the embeddings of the rows of a report: one after the other, or, where vtopo's solver
/// does it, side by side beforehand. Scenario, experiment and observer must outlive it.
class RowSimulations {
 public:
  /// @param spans as `RunHooks::spans`; then no row is simulated beforehand.
  RowSimulations(const Scenario& scenario, const Experiment& experiment, Observer& observer,
                 const std::function<void(const RankSpan&)>& spans)
      : scenario_(scenario), experiment_(experiment), observer_(observer), spans_(spans) {}

  ~RowSimulations() { stop_ = true; }

  /// Begins with those that are known, on a thread of its own while the others are searched for;
  /// does nothing if all or none are known, if a time limit bounds the search, or where
  /// `run_together` does nothing.
  /// @param known one entry per row.
  void begin(std::vector<std::optional<Embedding>> known);

  /// Simulates all of them that have not been begun, equal ones once, on the threads of the
  /// scenario, fewer where they would need much memory; nothing for one embedding, one thread or
  /// SimGrid. A first Ctrl-C leaves out the rest.
  /// @param rows one entry per row.
  /// @throws as `simulate_job`.
  void run_together(std::span<const Mapped> rows);

  /// Puts the times of the n-th row. A first Ctrl-C leaves out the fast solver's times and nothing
  /// else; so does the end of the time, after a remark.
  /// @param own_congestion static time of the job alone.
  /// @param end when it must be over; absent: any time will do.
  /// @throws as `simulate_job`.
  void put(std::size_t n, const Embedding& embedding, Seconds own_congestion,
           std::optional<SearchControl::Clock::time_point> end, Row& row);

 private:
  int threads_for(std::size_t count) const;
  void simulate_begun(const std::vector<std::optional<Embedding>>& known);
  void wait_for_begun(const StopRequest& request);
  std::optional<JobTimes> simulate(const Embedding& embedding, Seconds own_congestion,
                                   std::optional<SearchControl::Clock::time_point> end,
                                   const Row& row);
  void remark_interrupted(const Row& row) const;

  const Scenario& scenario_;
  const Experiment& experiment_;
  Observer& observer_;
  const std::function<void(const RankSpan&)>& spans_;
  std::vector<std::optional<JobTimes>> known_;  ///< one entry per row; absent: interrupted
  std::vector<std::atomic<bool>> begun_;        ///< one entry per row; empty: none
  std::atomic<bool> stop_ = false;              ///< to what has been begun
  std::future<void> ahead_;                     ///< the end of what has been begun
};

}  // namespace vtopo::detail

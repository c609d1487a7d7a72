#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/experiment/experiment.hpp"
#include "sim/experiment/job_times.hpp"
#include "sim/experiment/mapping_runs.hpp"
#include "sim/experiment/observer.hpp"
#include "sim/experiment/report.hpp"
#include "sim/experiment/scenario.hpp"

namespace vtopo::detail {

/// Simulates the embeddings of the rows of a report: one after the other, or, where vtopo's solver
/// does it, side by side beforehand. Scenario, experiment and observer must outlive it.
class RowSimulations {
 public:
  /// @param spans as `RunHooks::spans`; then no row is simulated beforehand.
  RowSimulations(const Scenario& scenario, const Experiment& experiment, Observer& observer,
                 const std::function<void(const RankSpan&)>& spans)
      : scenario_(scenario), experiment_(experiment), observer_(observer), spans_(spans) {}

  /// Simulates all of them, equal ones once, on the threads of the scenario, fewer where they would
  /// need much memory;
  /// nothing for one embedding, one thread or SimGrid. A first Ctrl-C leaves out the rest.
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
  std::optional<JobTimes> simulate(const Embedding& embedding, Seconds own_congestion,
                                   std::optional<SearchControl::Clock::time_point> end,
                                   const Row& row);
  void remark_interrupted(const Row& row) const;

  const Scenario& scenario_;
  const Experiment& experiment_;
  Observer& observer_;
  const std::function<void(const RankSpan&)>& spans_;
  std::vector<std::optional<JobTimes>> known_;  ///< one entry per row; absent: interrupted
};

}  // namespace vtopo::detail

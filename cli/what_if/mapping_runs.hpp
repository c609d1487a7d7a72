#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/scenario.hpp"
#include "cli/output/progress.hpp"
#include "cli/what_if/what_if.hpp"
#include "cli/what_if/what_if_plan.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/simulation/simulate.hpp"

namespace vtopo {

/// The problem that a plan poses to its mappers.
MappingProblem mapping_problem(const WhatIfPlan& plan, const WhatIfOptions& options,
                               const Scenario& scenario);

/// How the plan simulates.
SimulationOptions simulation_options(const WhatIfPlan& plan);

/// Replay of the job of a scenario, with the other jobs beside it: times of its own ranks alone.
/// @param how with the static bound, if it has one, of the job alone.
SimulationResult simulate_job(const Scenario& scenario, const Embedding& embedding,
                              const SimulationOptions& how);

/// What a mapper gave, before it is evaluated.
struct Mapped {
  Embedding embedding;
  Seconds time;                      ///< measured
  std::vector<std::string> remarks;  ///< sentences for people
};

/// Embeddings of the mappers of a plan. Those that use one thread run side by side at first, the
/// others one after the other when they are asked for.
class MappingRuns {
 public:
  /// Everything must outlive the runs.
  MappingRuns(const WhatIfPlan& plan, const WhatIfOptions& options, const Scenario& scenario,
              const Bounds& bounds);

  /// What mapper `m` of the plan gave; once for each.
  Mapped take(std::size_t m);

 private:
  void run_together(const std::vector<std::size_t>& mappers);
  Mapped run_alone(const MapperSpec& mapper) const;
  Mapped run(const MapperSpec& mapper, ProgressBar* bar, const std::atomic<bool>* stop) const;
  std::string label(const MapperSpec& mapper, const Cost& cost) const;

  const WhatIfPlan& plan_;
  const WhatIfOptions& options_;
  const Scenario& scenario_;
  const Bounds& bounds_;
  std::vector<std::optional<Mapped>> found_;  ///< one entry per mapper
};

}  // namespace vtopo

#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/observer.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/simulation/simulate.hpp"

namespace vtopo {

/// The problem that a scenario poses to its mappers.
MappingProblem mapping_problem(const Scenario& scenario, const Experiment& experiment);

/// Threads that a scenario may use.
int threads_of(const Scenario& scenario);

/// How a scenario simulates: by which solver is decided, it is never `automatic`.
/// @throws UsageError for a model that the solver does not have.
SimulationOptions simulation_options(const Scenario& scenario);

/// What a mapper gave, before it is evaluated.
struct Mapped {
  Embedding embedding;
  Seconds time;                      ///< measured
  std::vector<std::string> remarks;  ///< human-readable sentences
};

/// Embeddings of mappers. Those that use one thread run side by side at first, the others one after
/// the other when they are asked for.
class MappingRuns {
 public:
  /// Everything must outlive the runs.
  MappingRuns(std::span<const MapperSpec> mappers, const Scenario& scenario,
              const Experiment& experiment, const Bounds& bounds, Observer& observer);

  /// What mapper `m` gave; once for each.
  Mapped take(std::size_t m);

 private:
  void run_together(const std::vector<std::size_t>& mappers);
  Mapped run_alone(const MapperSpec& mapper) const;
  Mapped run(const MapperSpec& mapper, Work* work, const std::atomic<bool>* stop) const;
  std::string label(const MapperSpec& mapper, const Cost& cost) const;

  std::span<const MapperSpec> mappers_;
  const Scenario& scenario_;
  const Experiment& experiment_;
  const Bounds& bounds_;
  Observer& observer_;
  Objective objective_;
  int threads_;
  std::vector<std::optional<Mapped>> found_;  ///< one entry per mapper
};

}  // namespace vtopo

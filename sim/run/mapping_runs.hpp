#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/run/experiment.hpp"
#include "sim/run/observer.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/clock/simulate.hpp"

namespace vtopo::detail {

/// The problem that a scenario poses to its mappers.
MappingProblem mapping_problem(const Scenario& scenario, const Experiment& experiment);

/// Threads that a scenario may use.
int threads_of(const Scenario& scenario);

/// How a scenario simulates: by which solver is decided, it is never `automatic`.
/// @throws UsageError for a model that the solver does not have.
SimulationOptions simulation_options(const Scenario& scenario);

/// What a scenario minimises: the time, if it does not say.
const Objective& objective_of(const Scenario& scenario);

/// What a mapper gave, before it is evaluated.
struct Mapped {
  Embedding embedding;
  Seconds time;                      ///< measured
  std::vector<std::string> remarks;  ///< human-readable sentences
};

/// What a mapper is given besides the scenario.
struct MappingStart {
  const Embedding* given = nullptr;  ///< that a portfolio is not worse than; null: none
  /// When it should have ended; absent: by the time limit of the scenario, from its start.
  std::optional<SearchControl::Clock::time_point> deadline = std::nullopt;
};

/// Embeddings of mappers. Those that use one thread may run side by side at first, the others run
/// one after the other when they are asked for.
class MappingRuns {
 public:
  /// Everything must outlive the runs.
  MappingRuns(std::span<const MapperSpec> mappers, const Scenario& scenario,
              const Experiment& experiment, const Bounds& bounds, Observer& observer);

  /// Runs those that use one thread, as many at a time as there are threads.
  void run_together();

  /// The embeddings that `run_together` has found: one entry per mapper.
  std::vector<std::optional<Embedding>> found() const;

  /// What mapper `m` gave; once for each.
  Mapped take(std::size_t m, const MappingStart& start = {});

 private:
  void run_together(const std::vector<std::size_t>& mappers);
  Mapped run_alone(const MapperSpec& mapper, const MappingStart& start) const;
  Mapped run(const MapperSpec& mapper, const MappingStart& start, Work* work,
             const std::atomic<bool>* stop) const;
  std::string label(const MapperSpec& mapper, const Cost& cost) const;
  Embedding embed(const MapperSpec& mapper, const SearchControl& control,
                  std::vector<std::string>& remarks) const;

  std::span<const MapperSpec> mappers_;
  const Scenario& scenario_;
  const Experiment& experiment_;
  const Bounds& bounds_;
  Observer& observer_;
  const Objective& objective_;
  int threads_;
  std::vector<std::optional<Mapped>> found_;  ///< one entry per mapper
};

}  // namespace vtopo::detail

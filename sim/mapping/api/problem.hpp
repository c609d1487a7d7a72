#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/progress.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

/// What a mapper has to solve. The guest fits into the allocation (checked before). Under equal
/// steps equal problems have equal embeddings; how long to search says `SearchControl`.
struct MappingProblem {
  const CommGraph& guest;           ///< traffic between ranks
  const Network& network;           ///< that ranks are mapped to
  const Allocation& allocation;     ///< hosts and slots that may be used
  const Cartesian* grid = nullptr;  ///< the virtual topology, if it is a Cartesian grid
  std::uint64_t seed = 1;           ///< of everything random
  Objective objective = {};         ///< what refiners and portfolios minimise
  std::map<std::string, std::string> options = {};  ///< checked against MapperInfo::options

  /// Lower bounds of this guest, network and allocation, if somebody knows them; may be null.
  const Bounds* bounds = nullptr;

  struct Shared;             ///< what the searches of a portfolio make once
  Shared* shared = nullptr;  ///< of this network and allocation; null: each search has its own
};

/// What a simulator says of an embedding.
struct PredictedTime {
  Seconds makespan;        ///< of all that is sent
  std::vector<Rank> last;  ///< ranks that are the last to finish
  /// About what the simulation took, in seconds of processor time; equal problems, equal values.
  double work = 0;
};

/// How long what is mapped takes under an embedding. Functions are called by one thread at a time,
/// while the mapper has no other.
struct TimePrediction {
  /// By a simulator; nothing if it was stopped. Empty where there is none.
  std::function<std::optional<PredictedTime>(const Embedding&)> simulate = nullptr;
  /// Never above what `simulate` says, and known sooner; empty where nothing is known.
  std::function<Seconds(const Embedding&)> bound = nullptr;
};

/// When a search had found what.
struct SearchPoint {
  double seconds = 0;      ///< since its start
  std::int64_t steps = 0;  ///< of its own until then; 0 where it does not count them
  double value = 0;        ///< of the best embedding, in the unit of the objective's first measure
};

/// How long a mapper may search, where it starts, and whom it reports to. Without steps and a
/// deadline each refiner has a budget of its own.
struct SearchControl {
  /// Monotonic, so that deadlines survive changes of the time of day.
  using Clock = std::chrono::steady_clock;

  /// Deterministic budget of refiners, in tried exchanges.
  std::optional<std::int64_t> steps = std::nullopt;
  /// When refiners stop and return the best so far; with it, equal problems may have other
  /// embeddings on a faster machine.
  std::optional<Clock::time_point> deadline = std::nullopt;
  /// Refiners stop and return the best so far once it is true (a signal); may be null.
  const std::atomic<bool>* stop = nullptr;
  int threads = 1;  ///< that a mapper may use; never changes the embedding, unless time is short
  /// The embedding that refiners start from instead of that of their option `start`, and that a
  /// portfolio is not worse than; may be null.
  const Embedding* start = nullptr;
  Progress progress = nullptr;  ///< may be empty
  /// Receives a sentence on how the embedding was found; may be empty.
  std::function<void(const std::string&)> remark = nullptr;
  /// Receives what `report_value` gets, from one thread at a time; may be empty.
  std::function<void(double value, std::int64_t steps)> improved = nullptr;
  /// For objectives that begin with time; without it the rest of the objective counts.
  TimePrediction time = {};

  /// For mappers: the best embedding so far has this value of the objective's first measure, found
  /// in so many steps.
  void report_value(double value, std::int64_t steps_made = 0) const {
    if (improved) improved(value, steps_made);
  }

  /// Whether the time is up or `stop` is set.
  bool must_stop() const { return is_interrupted() || (deadline && Clock::now() >= *deadline); }

  /// Whether `stop` is set.
  bool is_interrupted() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

}  // namespace vtopo

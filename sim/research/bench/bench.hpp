#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/research/bench/instance.hpp"

namespace vtopo::detail {

/// What a mapper may use before it is ended.
struct RunLimits {
  Seconds time{60};                        ///< by the clock
  Bytes memory{4.0 * 1024 * 1024 * 1024};  ///< of addresses, on top of the problem's
  std::optional<Seconds> deadline = {};    ///< of refiners, which then return their best
};

enum class RunStatus { ok, not_applicable, timed_out, out_of_memory, failed };

/// `ok`, `timed out`, ...
std::string_view to_string(RunStatus status);

/// How a mapper's run ended, and what it took.
struct IsolatedRun {
  RunStatus status = RunStatus::failed;  ///< `ok` if there is an embedding
  std::string words;                     ///< why there is no embedding
  std::optional<Embedding> embedding;    ///< present if the status is `ok`
  Seconds mapping_time;                  ///< by the clock
  Seconds cpu_time;                      ///< of all threads
  Bytes memory;                          ///< most that the run added to what the problem takes
};

/// Runs a mapper in a child process, so that its crash, its hanging or its hunger for memory is a
/// row of a table and not its end. The embedding is checked against the allocation.
/// @throws SimulationError if the system has no process, memory or descriptor left.
IsolatedRun run_isolated(const MapperSpec& spec, const MappingProblem& problem,
                         const SearchControl& control, const RunLimits& limits);

/// Simulated time of a problem's exchange under an embedding; nothing if it was stopped.
using BenchClock =
    std::function<std::optional<PredictedTime>(const BenchProblem& problem, const Embedding&)>;

/// Budgets of refiners that runs differ in: of steps or of seconds.
struct BenchBudgets {
  std::vector<double> values = {};  ///< ascending; none: one run
  bool are_seconds = false;         ///< of wall time; else tried exchanges

  /// `steps` or `seconds`.
  std::string_view unit() const { return are_seconds ? "seconds" : "steps"; }
};

/// What is run on every instance.
struct BenchPlan {
  std::vector<MapperSpec> mappers;         ///< run in this order
  std::vector<std::uint64_t> seeds{1};     ///< one run of each mapper per seed
  std::optional<std::int64_t> steps = {};  ///< budget of refiners; absent: their own
  /// Runs with each instead; the last are those of the league, all make the curves.
  BenchBudgets budgets = {};
  std::optional<Objective> objective = {};  ///< absent: what each instance is about
  RunLimits limits = {};                    ///< of each run
  BenchClock clock = {};  ///< empty: nothing is simulated, and no objective begins with time
};

/// One mapper with one seed on one instance.
struct BenchRow {
  std::string mapper;                    ///< as given, with options
  std::uint64_t seed = 1;                ///< of the mapper
  std::optional<double> budget = {};     ///< one of `BenchBudgets`; absent: the plan has none
  RunStatus status = RunStatus::failed;  ///< how the run ended
  std::string words;                     ///< why there is no embedding
  Metrics metrics;                       ///< without links; of rows that are `ok`
  std::optional<Seconds> makespan;       ///< simulated; absent: not simulated
  double value = 0;                      ///< of the measure that counts
  Seconds mapping_time;                  ///< by the clock
  Seconds cpu_time;                      ///< of all threads
  Bytes memory;                          ///< most that the run added to what the problem takes
  std::optional<double> ratio_to_best;   ///< value / best; absent: not `ok`
  std::optional<double> ratio_to_bound;  ///< absent also where there is no bound above 0
};

/// All rows of one instance, best first, then those without an embedding.
struct BenchTable {
  Instance instance;                              ///< what was solved
  int ranks = 0;                                  ///< of its guest
  int hosts = 0;                                  ///< of its allocation
  std::int64_t edges = 0;                         ///< directed edges of its guest
  const Measure* measure = &hop_bytes_measure();  ///< by which rows are compared, unless `by_time`
  bool by_time = false;                           ///< rows are compared by their makespan
  double best = 0;                                ///< best known, or of these rows if they beat it
  bool best_is_proven = false;                    ///< no embedding is better than `best`
  std::string best_source;               ///< `these rows` where nothing is known or it was beaten
  std::optional<double> bound;           ///< lower bound of the measure over all embeddings
  std::vector<BenchRow> rows;            ///< one per mapper and seed, with the largest budget
  std::vector<BenchRow> with_less = {};  ///< those with each smaller budget, in their order
};

/// A mapper over all instances.
struct LeagueRow {
  std::string mapper;                 ///< as given, with options
  int solved = 0;                     ///< rows that are `ok`
  int failed = 0;                     ///< rows that should have been
  int not_applicable = 0;             ///< rows of problems that it does not map
  int best = 0;                       ///< rows that reach the best known
  std::optional<double> mean_ratio;   ///< geometric mean of ratio_to_best of its solved rows
  std::optional<double> worst_ratio;  ///< largest ratio_to_best of its solved rows
  Seconds cpu_time;                   ///< sum over its rows
};

/// Called before each run with the instance and the mapper; may be empty.
using BenchProgress = std::function<void(const std::string& instance, const std::string& mapper)>;

/// Runs every mapper with every seed on an instance, each in a process of its own; figures are
/// those of `evaluate`, not the mapper's.
BenchTable bench(const Instance& instance, const BenchPlan& plan, const BenchProgress& progress);

/// The name of what the rows of a table are compared by: `makespan` or a metric of rows.
std::string judged_by(const BenchTable& table);

/// The name of a measure among the fields of rows: `hop_bytes` of `hop-bytes`.
std::string field_name(const Measure& measure);

/// Sentences on rows that are better than the best known: the value, on which instance, by which
/// mapper.
std::vector<std::string> records(const std::vector<BenchTable>& tables);

/// Mappers by what they solve: most rows first, then the smallest geometric mean, then the name.
std::vector<LeagueRow> league(const std::vector<BenchTable>& tables);

/// Sentences on rows below a proven optimum, which no embedding can be: an error of vtopo or of the
/// table of optima.
std::vector<std::string> impossible_rows(const std::vector<BenchTable>& tables);

}  // namespace vtopo::detail

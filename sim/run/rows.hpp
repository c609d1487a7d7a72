#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/run/experiment.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/report.hpp"
#include "sim/scenario/pieces.hpp"

namespace vtopo::detail {

/// What the pieces of a scenario name.
/// @throws FitError if the ranks do not fit into the allocation, and whatever readers and models
/// throw.
Experiment build_experiment(const GuestSource& guest, const NetworkSource& network,
                            const JobHosts& job, Observer& observer);

/// The interconnect with failed links in place of their number: links that the baseline's placement
/// uses, random ones by the seed of the job. A link that has the number as its name wins.
/// @throws UsageError if so many are not used.
NetworkSource with_named_failures(const GuestSource& guest, const NetworkSource& network,
                                  const JobHosts& job);

/// A row, and where its ranks are.
struct PlacedRow {
  Row row;
  Embedding embedding;
  MapperSpec mapper;
  std::vector<SearchPoint> search = {};  ///< of its mapper
};

/// How rows of an experiment are made.
struct RowSetup {
  Objective objective;
  RunBudget budget;
  std::optional<SimulationOptions> clock;  ///< absent: times are not simulated
  Bounds bounds = {};                      ///< of every embedding
  int top_links = 0;                       ///< that are listed
  bool ideal = false;          ///< whether rows have their busiest link under ideal routing
  bool timing = true;          ///< whether measured times are printed
  bool traces_search = false;  ///< whether rows come with what their mappers found when
  /// Receives what ranks do in the simulation of a row, of several rows at the same time: those of
  /// a schedule or a trace, of each rank in the order of time. Ranks above those of the job are of
  /// other jobs. Empty: nobody does.
  std::function<void(std::size_t row, const RankSpan&)> spans = {};
  /// Receives each row once there is one, of several rows at the same time; empty: nobody does.
  std::function<void(std::size_t row, PlacedRow)> made = {};
};

/// Where ranks are put.
struct Mapped {
  Embedding embedding;
  Seconds time;                        ///< measured
  std::vector<std::string> remarks;    ///< human-readable sentences
  std::optional<JobTimes> times = {};  ///< by the clock of the setup, where they are known already
  std::vector<SearchPoint> search = {};  ///< where it is traced: better and better values
};

/// What is special about one row.
struct RowControl {
  using TimePoint = SearchControl::Clock::time_point;

  std::size_t number = 0;            ///< of the row among those of the report
  const Embedding* given = nullptr;  ///< that a portfolio is not worse than; null: none
  /// When its mapper should have ended; absent: by the time of the budget, from its start.
  std::optional<TimePoint> mapped_by = {};
  std::optional<TimePoint> simulated_by = {};  ///< absent: any time will do
  /// Receives what ranks do in the simulation, see `simulate_job`; empty: nobody.
  std::function<void(const RankSpan&)> spans = {};
};

/// The problem that an experiment poses to mappers.
MappingProblem mapping_problem(const Experiment& experiment, const RowSetup& setup);

/// Runs a mapper, on all threads if it runs others.
Mapped map_ranks(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                 Observer& observer, const RowControl& control = {});

/// Runs mappers: those that use one thread side by side, the others one after the other.
std::vector<Mapped> map_ranks(const Experiment& experiment, std::span<const MapperSpec> mappers,
                              const RowSetup& setup, Observer& observer);

/// A row: maps, evaluates, simulates. A first Ctrl-C while it is simulated leaves out the fast
/// solver's times and nothing else; so does the end of the time, after a remark.
/// @throws what mappers and `simulate_job` throw.
PlacedRow make_row(const Experiment& experiment, const MapperSpec& mapper, const RowSetup& setup,
                   Observer& observer, const RowControl& control = {});

/// A row for each mapper, the same whatever the threads. Rows that vtopo's solver simulates are
/// made side by side, fewer at a time where they would need much memory, the others one after the
/// other; equal embeddings are evaluated once.
std::vector<PlacedRow> make_rows(const Experiment& experiment, std::span<const MapperSpec> mappers,
                                 const RowSetup& setup, Observer& observer);

/// Metrics of all that is sent under an embedding, of other jobs, too, with the loads of links.
Metrics metrics_of(const Experiment& experiment, const Embedding& embedding, int threads);

/// Evaluates each phase and sets what a row reports of them: its phases, the sum of their static
/// bounds, inside a stage of the lane that has most, and the most flows on a link.
/// @param row has the metrics of everything that the schedule and other jobs send: neither figure
/// is less than theirs beside other jobs.
void evaluate_phases(const Schedule& schedule, const Network& network, const Embedding& embedding,
                     int threads, bool beside_others, Row& row);

/// Lower bounds of an experiment. Of a schedule those of everything sent together; of congestion
/// also the sum over phases and steps, each of which takes its own bound at least, for up to 32
/// phases.
Bounds bounds_of(const Experiment& experiment, Observer& observer);

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "sim/run/rows.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/pieces.hpp"

namespace vtopo::detail {

/// What of a scenario can be read without the files that it names: its options go together.
struct CheckedScenario {
  Mapping mapping;
  ClockChoice clock;
};

/// @throws UsageError
CheckedScenario checked(const Scenario& scenario);

/// Whether rows on `network` are simulated: as the scenario says, else if its solver can.
/// @param needed_by what asks for simulated times; empty: nothing.
/// @throws UsageError if the scenario asks for what only the simulation gives and its solver
/// cannot.
bool simulates(const ClockChoice& clock, const Objective& objective, const Network& network,
               const std::string& needed_by = {});

/// A scenario that can be run: everything is checked, and what it names is in memory.
struct RunPlan {
  SearchControl::Clock::time_point start;  ///< from which a time limit of the whole run counts
  Scenario scenario;                       ///< as written, for the report
  Mapping mapping;
  NetworkSource network;
  RowSetup setup;
  Experiment experiment = {};
  Solver solver = Solver::fast;  ///< that simulates if anything is simulated
};

/// A report, and where its rows put the ranks.
struct PlacedReport {
  Report report;
  std::vector<Embedding> embeddings;     ///< one entry per row
  std::vector<MapperSpec> mappers = {};  ///< the same
  /// One entry per row, empty where searches are not traced; see `Mapped`.
  std::vector<std::vector<SearchPoint>> searches = {};
};

/// @throws as `run`.
RunPlan plan_run(const Scenario& scenario, CheckedScenario checked, Observer& observer,
                 const RunOptions& options);
/// The same of a scenario that nobody has checked.
RunPlan plan_run(const Scenario& scenario, Observer& observer, const RunOptions& options = {});

/// A row for each mapper, or one for the embedding of a file, and which of them is the best.
PlacedReport compare(RunPlan& plan, Observer& observer);

/// A row for the order given, that of a file or of the baseline, and one for the mapper, and
/// whether the order is kept because the mapper gains too little: see `Verdict::kept_order`. A time
/// limit is of the whole run; where it is too short to simulate, static metrics decide.
PlacedReport keep_or_move(RunPlan& plan, Observer& observer);

/// A report of some of the rows, before the search has ended.
PlacedReport report_so_far(const RunPlan& plan, std::vector<PlacedRow> rows);

}  // namespace vtopo::detail

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/mpirun/smpi_run.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/report/text_columns.hpp"

namespace vtopo::detail {

/// Messages of one kind and what they cost on the interconnect, without a clock.
struct TrafficCost {
  std::int64_t messages = 0;
  Metrics metrics;  ///< an edge is a pair of ranks that communicated
};

/// One run in the report.
struct MpirunRow {
  bool reorder = true;
  std::vector<ConstructorReport> constructors;
  FinishedRun run;
  TrafficCost all, point_to_point, collective;
  Seconds wall;
};

/// A run in which a rank did not come to MPI_Finalize.
struct UnfinishedRun {
  bool reorder = true;
  std::vector<ConstructorReport> constructors;
  std::string sentence;  ///< on its end
};

/// What `vtopo mpirun` reports.
struct MpirunReport {
  std::vector<std::pair<std::string, std::string>> scenario;  ///< option and value
  std::vector<std::string> program;                           ///< and its arguments
  std::string network;                                        ///< human-readable
  int ranks = 0;
  int hosts = 0;  ///< on which ranks sit
  int exit_code = 0;
  bool timing = true;  ///< measured times are reported
  bool charges_computation = false;
  std::vector<MpirunRow> rows;                   ///< with --compare: reordered, then as launched
  std::optional<UnfinishedRun> unfinished = {};  ///< the last one
};

/// The row of a run that came to its end.
MpirunRow make_row(SmpiRun run, bool reorder, const SmpiJob& job);

/// `reordered`, `as launched` or `without a topology`.
const char* name_of(const MpirunRow& row);

/// Share of the simulated time as launched that reordering saved; negative where it cost. Nothing
/// without two rows, or where no time passed.
std::optional<double> saved_share(const MpirunReport& report);

/// `reorder saved 31 % of 12.4 ms simulated communication`; of one run what its constructors did.
std::string verdict_of(const MpirunReport& report);

std::string render_mpirun_table(const MpirunReport& report, const TextStyle& style);
std::string render_mpirun_json(const MpirunReport& report);

/// `rank,finish_seconds` per line.
std::string rank_times_csv(const FinishedRun& run);

}  // namespace vtopo::detail

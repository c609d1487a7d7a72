#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/report_output.hpp"
#include "sim/draw/rank_timeline.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"
#include "sim/run/plan.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Options of the verbs that put embeddings into rows.
struct WhatIfOptions {
  Scenario scenario;
  std::string scenario_file;  ///< read before the options are; empty: none
  int default_top_links = 0;
  std::string rank_times;             ///< CSV file; empty: none
  std::string trace_search;           ///< the same
  std::optional<std::string> format;  ///< absent: by the extension of `output`
  std::string output = "-";
  std::string timing = "on";
  std::string fail_if;        ///< empty: never
  std::string columns;        ///< of the table; empty: the usual ones
  bool takes_stdout = false;  ///< for something else than the report
};

/// Options of a verb that reports on embeddings and writes nothing else.
/// @param mapper_help of `--mapper`, which each verb words in its own way.
void add_what_if_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help);

/// Adds `--embedding`, which stands instead of `--mapper`; behind the options above.
void add_embedding_options(Verb& verb, Scenario& scenario);

/// Options for everything but what is written.
void add_mapping_options(Verb& verb, WhatIfOptions& options, const std::string& mapper_help);

/// Options of every report but its file.
void add_report_options(Verb& verb, WhatIfOptions& options);

/// Adds `--columns` of tables.
void add_columns_option(Verb& verb, std::string& columns);

/// @throws UsageError for columns that there are not, and where a report is not a table.
void check_columns(const std::string& columns, ReportForm form);

/// Files that the scenario names; empty ones are none.
std::vector<std::string> input_files(const Scenario& scenario);

/// And the file that it was read from.
std::vector<std::string> input_files(const WhatIfOptions& options);

/// Adds the mappers of plugins to the table: before anything looks up a mapper. Returns their
/// names.
std::vector<std::string> load_plugins(const std::vector<std::string>& plugins);

/// The same for a verb that takes one mapper: says which there are where none was chosen.
void load_plugins(const std::vector<std::string>& plugins, const Invocation& invocation);

/// Whether an option was given, on the command line or in a scenario file.
bool is_given(const Invocation& invocation, std::string_view option);

/// A condition on the numbers of a row such as `max_congestion>2ms` or `max_dilation>=6`.
struct Threshold {
  std::string text;
  const RowField* field;  ///< never text
  std::string comparison;
  double limit = 0;  ///< in the unit of the field: bytes, seconds or a plain number
  std::optional<std::string> note = std::nullopt;  ///< on an old name of the field
};

/// What is asked for and only a simulation gives; empty: nothing.
std::string simulation_needed_by(const std::optional<Threshold>& threshold, bool rank_times);

/// What is done with a report.
struct WhatIfOutput {
  ReportForm form = ReportForm::table;
  std::optional<Threshold> threshold;
  bool has_evidence = false;  ///< of JSON in a file; standard output is for reading and pipes
};

/// A scenario on its way to a report: its options are checked, and what they name is in memory.
class WhatIf {
 public:
  explicit WhatIf(const WhatIfOptions& options);
  WhatIf(const WhatIf&) = delete;
  WhatIf& operator=(const WhatIf&) = delete;

  const Experiment& experiment() const { return plan_.experiment; }
  const RunPlan& plan() const { return plan_; }

  /// As `compare` and `keep_or_move` of a plan, then what is done with it; returns the exit code.
  /// After a Ctrl-C that may be a report of the rows that there are by then.
  int compare(const std::function<int(PlacedReport)>& finish);
  int keep_or_move(const std::function<int(PlacedReport)>& finish);

  /// Writes the report and what goes with it; returns the exit code.
  /// @param table how the table is written.
  int write(const PlacedReport& placed, const TableWriter& table = {});

 private:
  WhatIf(const WhatIfOptions& options, CheckedScenario scenario);

  using Search = PlacedReport (*)(RunPlan&, Observer&);

  void begin();
  int run(Search search, const std::function<int(PlacedReport)>& finish);
  bool is_late();
  int finish_early(const std::function<int(PlacedReport)>& finish);

  const WhatIfOptions& options_;
  WhatIfOutput output_;
  std::vector<RankTimeline> timelines_;  ///< one entry per row, for pictures
  RunPlan plan_;
  bool late_ = false;                         ///< whether lateness ends the search, not a Ctrl-C
  std::mutex mutex_;                          ///< of `made_`
  std::map<std::size_t, PlacedRow> made_;     ///< rows that there are, by their number
  std::vector<std::size_t> numbers_of_rows_;  ///< in the report; empty: 0, 1, ...
};

/// Compares the mappers of the options and writes the report; returns the exit code.
int run_what_if(const WhatIfOptions& options);

/// @throws UsageError unless it is a numeric field, one of > >= < <= and a limit of the field's
/// kind.
Threshold parse_threshold(std::string_view text);

/// Sentence on the first row that meets the condition, if one does; null values never do.
std::optional<std::string> exceeded(const Threshold& threshold, const Report& report);

}  // namespace vtopo::detail

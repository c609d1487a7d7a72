#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/draw/paper/paper_files.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/research/bench/bench.hpp"
#include "sim/research/bench/statistics.hpp"

namespace vtopo::detail {

/// Whole answer of `vtopo bench`.
struct BenchReport {
  std::vector<std::pair<std::string, std::string>> options;  ///< option and value, in order
  std::vector<BenchTable> tables;
  std::vector<LeagueRow> league;
  bool timing = true;  ///< whether measured times and memory are reported
  /// Mapper that all others are tested against; empty: in pairs the league's, in tables its first.
  std::string against = {};
  BenchBudgets budgets = {};  ///< of the runs
};

/// A field of a row: its name in CSV and JSON, and how to get it.
struct BenchField {
  std::string_view name;
  FieldValue (*value)(const BenchTable&, const BenchRow&);
  bool measured = false;  ///< null unless `timing`
};

/// All fields of a row, in order.
std::span<const BenchField> bench_fields();

/// Value of a field as the report has it: measured ones are null without `timing`.
FieldValue told_value(const BenchField& field, const BenchReport& report, const BenchTable& table,
                      const BenchRow& row);

/// One table per instance, then the league of mappers.
std::string render_bench_table(const BenchReport& report, const TextStyle& style = {});
/// Why no mapper can be said to be better than another, such as `too few instances: 10 pairs need
/// 9`; empty if there are enough.
std::string reason_not_tested(const BenchReport& report);

/// The league: its ratios, its counts, and p-values and effect sizes where pairs are given.
std::vector<TextColumn> league_columns(const BenchReport& report,
                                       const std::vector<MapperPair>& pairs, bool timing);
/// Rows: header and one line for each.
std::string render_bench_csv(const BenchReport& report);
/// The league: header and one line per mapper, in its order.
std::string render_league_csv(const BenchReport& report);
/// All pairs of mappers with Wilcoxon's signed-rank test: header and one line per pair.
std::string render_pairs_csv(const BenchReport& report);
/// Performance profiles: `mapper,ratio,share`, a line for each step of each curve.
std::string render_profiles_csv(const BenchReport& report);
/// Curves: `mapper,steps|seconds,mean_ratio,least_ratio,most_ratio,seeds,instances`, a line for
/// each point.
std::string render_curves_csv(const BenchReport& report);
/// Curves over the budgets, with the spread of the seeds, as an SVG file.
std::string render_curves_svg(const BenchReport& report);
/// The same as a figure for LaTeX with pgfplots.
std::string render_curves_latex(const BenchReport& report);
/// Performance profiles as an SVG file.
std::string render_profiles_svg(const BenchReport& report);
/// The same as a figure for LaTeX with pgfplots.
std::string render_profiles_latex(const BenchReport& report);
/// The league as a `tabular` of LaTeX that needs no package, with the p-value of each mapper
/// against the first.
std::string render_league_latex(const BenchReport& report);
/// Everything for a paper: rows, league, pairs and profiles as CSV, `bench.json`, and tables and
/// figures for LaTeX.
std::vector<PaperFile> bench_files(const BenchReport& report);
/// Document of the schema `vtopo/bench/v1`.
std::string render_bench_json(const BenchReport& report);

/// The instances as `--list` prints them.
std::string list_instances_table(std::span<const Instance> instances, const TextStyle& style = {});
std::string list_instances_csv(std::span<const Instance> instances);
std::string list_instances_json(std::span<const Instance> instances);

}  // namespace vtopo::detail

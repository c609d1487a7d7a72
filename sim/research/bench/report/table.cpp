#include <fmt/format.h>

#include <algorithm>

#include "sim/research/bench/statistics/mapper_pairs.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

std::string decimals(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string seconds_text(Seconds time) {
  return fmt::format("{:.2f}", time.value);
}

/// Cells of one column, row by row.
template <class Cell>
TextColumn column(std::string group, std::string heading, const BenchTable& table, Cell&& cell) {
  TextColumn result{std::move(group), std::move(heading), {}, Align::right};
  for (const BenchRow& row : table.rows)
    if (row.status == RunStatus::ok) result.cells.push_back(cell(row));
  return result;
}

bool any_simulated(const BenchTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const BenchRow& row) { return row.makespan.has_value(); });
}

void add_measured(const BenchTable& table, std::vector<TextColumn>& columns) {
  columns.push_back(
      column("", "CPU s", table, [](const BenchRow& row) { return seconds_text(row.cpu_time); }));
  columns.push_back(
      column("", "memory", table, [](const BenchRow& row) { return format_bytes(row.memory); }));
}

std::vector<TextColumn> columns_of(const BenchTable& table, bool timing) {
  std::vector<TextColumn> columns;
  columns.push_back(column("", "mapper", table, [](const BenchRow& row) { return row.mapper; }));
  columns.back().align = Align::left;
  columns.push_back(
      column("", "seed", table, [](const BenchRow& row) { return fmt::format("{}", row.seed); }));
  const std::string measure = judged_by(table);
  columns.push_back(column(measure, "value", table,
                           [](const BenchRow& row) { return fmt::format("{:.6g}", row.value); }));
  columns.push_back(column(measure, "/best", table,
                           [](const BenchRow& row) { return decimals(row.ratio_to_best); }));
  columns.push_back(column(measure, "/bound", table,
                           [](const BenchRow& row) { return decimals(row.ratio_to_bound); }));
  columns.push_back(column("", "mean_hops_per_byte", table, [](const BenchRow& row) {
    return decimals(row.metrics.mean_hops_per_byte);
  }));
  columns.push_back(column("", "max_dilation", table, [](const BenchRow& row) {
    return fmt::format("{}", row.metrics.max_dilation);
  }));
  if (any_simulated(table))
    columns.push_back(column("", "makespan", table, [](const BenchRow& row) {
      return row.makespan ? format_seconds(*row.makespan) : "-";
    }));
  columns.push_back(column("", "max_link_load", table, [](const BenchRow& row) {
    return fmt::format("{:.6g}", row.metrics.max_link_load.value);
  }));
  columns.push_back(column(
      "", "jsum", table, [](const BenchRow& row) { return fmt::format("{}", row.metrics.jsum); }));
  columns.push_back(column(
      "", "jmax", table, [](const BenchRow& row) { return fmt::format("{}", row.metrics.jmax); }));
  if (timing) add_measured(table, columns);
  return columns;
}

std::string lines(const std::vector<TextColumn>& columns) {
  std::string text;
  for (const std::string& line : lay_out(columns)) text += line + '\n';
  return text;
}

std::string best_text(const BenchTable& table) {
  if (table.best_source.empty()) return "nothing known";
  return fmt::format("{} {:.8g} ({}: {})", judged_by(table), table.best,
                     table.best_is_proven ? "optimum" : "best known", table.best_source);
}

std::string table_text(const BenchTable& table, bool timing) {
  const Instance& instance = table.instance;
  std::string text = fmt::format(
      "{}: {}\n  {}, {}, {} on {}, {}{}\n  {}{}\n", instance.name, instance.description,
      instance.guest, counted(table.ranks, "rank"), counted(table.edges, "edge"), instance.network,
      counted(table.hosts, "host"), instance.hosts == "all" ? "" : " (" + instance.hosts + ")",
      best_text(table), table.bound ? fmt::format("; bound {:.8g}", *table.bound) : "");
  const bool any = std::any_of(table.rows.begin(), table.rows.end(),
                               [](const BenchRow& row) { return row.status == RunStatus::ok; });
  if (any) text += lines(columns_of(table, timing));
  std::string last;  // all seeds say the same
  for (const BenchRow& row : table.rows) {
    if (row.status == RunStatus::ok) continue;
    std::string line = fmt::format("{}: {}: {}\n", row.mapper, to_string(row.status), row.words);
    if (line != last) text += line;
    last = std::move(line);
  }
  return text + '\n';
}

template <class Cell>
TextColumn league_column(std::string heading, const BenchReport& report, Cell&& cell) {
  TextColumn result{"", std::move(heading), {}, Align::right};
  for (const LeagueRow& row : report.league) result.cells.push_back(cell(row));
  return result;
}

/// Tests of the first of the league against the others, of five instances or more.
std::vector<MapperPair> against_first(const BenchReport& report) {
  constexpr std::size_t fewest_instances = 5;  // of less no p-value is below 0.1
  if (report.tables.size() < fewest_instances) return {};
  auto pairs = compare_mappers(report.tables, report.league);
  std::erase_if(pairs,
                [&](const MapperPair& pair) { return pair.first != report.league.front().mapper; });
  return pairs;
}

std::string p_text(const std::string& mapper, const std::vector<MapperPair>& pairs) {
  for (const MapperPair& pair : pairs)
    if (pair.second == mapper) return fmt::format("{:.2g}", pair.adjusted_p);
  return "-";
}

std::string league_text(const BenchReport& report) {
  std::vector<TextColumn> columns;
  columns.push_back(
      league_column("league", report, [](const LeagueRow& row) { return row.mapper; }));
  columns.back().align = Align::left;
  const auto number = [](int value) { return fmt::format("{}", value); };
  columns.push_back(league_column("mean /best", report,
                                  [](const LeagueRow& row) { return decimals(row.mean_ratio); }));
  columns.push_back(league_column("worst", report,
                                  [](const LeagueRow& row) { return decimals(row.worst_ratio); }));
  columns.push_back(
      league_column("at best", report, [&](const LeagueRow& row) { return number(row.best); }));
  columns.push_back(
      league_column("solved", report, [&](const LeagueRow& row) { return number(row.solved); }));
  columns.push_back(
      league_column("failed", report, [&](const LeagueRow& row) { return number(row.failed); }));
  columns.push_back(league_column(
      "left out", report, [&](const LeagueRow& row) { return number(row.not_applicable); }));
  const std::vector<MapperPair> pairs = against_first(report);
  if (!pairs.empty())
    columns.push_back(league_column(
        "p", report, [&](const LeagueRow& row) { return p_text(row.mapper, pairs); }));
  if (report.timing)
    columns.push_back(league_column(
        "CPU s", report, [](const LeagueRow& row) { return seconds_text(row.cpu_time); }));
  return lines(columns) +
         "mean /best: geometric mean of value / best over the solved rows; most solved first\n" +
         (pairs.empty()
              ? ""
              : fmt::format("p: Wilcoxon's signed-rank test against {}, Holm-adjusted; of "
                            "instances that both solved\n",
                            report.league.front().mapper));
}

}  // namespace

std::string render_bench_table(const BenchReport& report) {
  std::string text;
  for (const BenchTable& table : report.tables) text += table_text(table, report.timing);
  return text + league_text(report);
}

std::string list_instances_table(std::span<const Instance> instances) {
  std::string text;
  for (const Instance& instance : instances) {
    text +=
        fmt::format("{}{}\n  {}\n  {} on {}{}\n", instance.name, instance.quick ? " (quick)" : "",
                    instance.description, instance.guest, instance.network,
                    instance.slots > 1 ? fmt::format(", {} slots", instance.slots) : "");
    if (instance.best)
      text += fmt::format("  {} {:.8g}, {}: {}\n", field_name(*instance.best->measure),
                          instance.best->value, instance.best->proven ? "optimum" : "best known",
                          instance.best->source);
  }
  return text;
}

}  // namespace vtopo::detail

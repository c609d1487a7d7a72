#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/research/bench/statistics.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {
namespace {

/// Null unless the row has an embedding and the figure is finite.
FieldValue figure(const BenchRow& row, double value) {
  if (row.status != RunStatus::ok || !std::isfinite(value)) return {};
  return value;
}

FieldValue count(const BenchRow& row, std::int64_t value) {
  if (row.status != RunStatus::ok) return {};
  return value;
}

FieldValue optional(const std::optional<double>& value) {
  return value ? FieldValue{*value} : FieldValue{};
}

FieldValue text(std::string_view value) {
  return value.empty() ? FieldValue{} : FieldValue{std::string(value)};
}

using Table = const BenchTable&;
using Run = const BenchRow&;

constexpr BenchField fields[] = {
    {"instance", [](Table table, Run) { return text(table.instance.name); }},
    {"mapper", [](Table, Run row) { return text(row.mapper); }},
    {"seed", [](Table, Run row) { return FieldValue{row.seed}; }},
    {"status", [](Table, Run row) { return text(to_string(row.status)); }},
    {"reason", [](Table, Run row) { return text(row.words); }},
    {"measure", [](Table table, Run) { return text(judged_by(table)); }},
    {"value", [](Table, Run row) { return figure(row, row.value); }},
    {"ratio_to_best", [](Table, Run row) { return optional(row.ratio_to_best); }},
    {"ratio_to_bound", [](Table, Run row) { return optional(row.ratio_to_bound); }},
    {"hop_bytes", [](Table, Run row) { return figure(row, row.metrics.hop_bytes.value); }},
    {"mean_hops_per_byte",
     [](Table, Run row) { return figure(row, row.metrics.mean_hops_per_byte); }},
    {"max_dilation", [](Table, Run row) { return count(row, row.metrics.max_dilation); }},
    {"max_link_load", [](Table, Run row) { return figure(row, row.metrics.max_link_load.value); }},
    {"max_congestion",
     [](Table, Run row) { return figure(row, row.metrics.max_congestion.value); }},
    {"makespan",
     [](Table, Run row) { return row.makespan ? figure(row, row.makespan->value) : FieldValue{}; }},
    {"jsum", [](Table, Run row) { return count(row, row.metrics.jsum); }},
    {"jmax", [](Table, Run row) { return count(row, row.metrics.jmax); }},
    {"mapping_seconds", [](Table, Run row) { return figure(row, row.mapping_time.value); }, true},
    {"cpu_seconds", [](Table, Run row) { return FieldValue{row.cpu_time.value}; }, true},
    {"memory_bytes", [](Table, Run row) { return FieldValue{row.memory.value}; }, true},
};

std::string decimals(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string seconds_text(Seconds time) {
  return fmt::format("{:.2f}", time.value);
}

/// What tables call a metric; its name where they have no other.
std::string words_of(const std::string& name) {
  for (const RowField& field : row_fields())
    if (field.name == name) return std::string(field.words);
  return name;
}

/// Of its value: that of all metrics that are not plain numbers.
std::string unit_of(const std::string& name) {
  for (const RowField& field : row_fields())
    if (field.name == name && field.kind == FieldKind::bytes)
      return "B";
    else if (field.name == name && field.kind == FieldKind::seconds)
      return "s";
  return "value";
}

bool any_simulated(const BenchTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const BenchRow& row) { return row.makespan.has_value(); });
}

/// The other metrics stand in CSV and JSON.
std::vector<TextColumn> columns_of(const BenchTable& table, bool timing) {
  std::vector<TextColumn> columns;
  const auto add = [&](std::string group, std::string heading, auto cell) {
    columns.push_back({std::move(group), std::move(heading), {}});
    for (const BenchRow& row : table.rows)
      if (row.status == RunStatus::ok) columns.back().cells.push_back(cell(row));
  };
  add("", "mapper", [](const BenchRow& row) { return row.mapper; });
  columns.back().align = Align::left;
  add("", "seed", [](const BenchRow& row) { return fmt::format("{}", row.seed); });
  const std::string measure = words_of(judged_by(table));
  add(measure, unit_of(judged_by(table)),
      [](const BenchRow& row) { return fmt::format("{:.6g}", row.value); });
  add(measure, "/best", [](const BenchRow& row) { return decimals(row.ratio_to_best); });
  add(measure, "/bound", [](const BenchRow& row) { return decimals(row.ratio_to_bound); });
  add("", "hops per byte",
      [](const BenchRow& row) { return decimals(row.metrics.mean_hops_per_byte); });
  if (any_simulated(table))
    add("", "simulated time",
        [](const BenchRow& row) { return row.makespan ? format_seconds(*row.makespan) : "-"; });
  if (!timing) return columns;
  add("", "CPU s", [](const BenchRow& row) { return seconds_text(row.cpu_time); });
  add("", "memory", [](const BenchRow& row) { return format_bytes(row.memory); });
  return columns;
}

std::string best_text(const BenchTable& table) {
  if (table.best_source.empty()) return "nothing known";
  return fmt::format("{} {:.8g} ({}: {})", words_of(judged_by(table)), table.best,
                     table.best_is_proven ? "optimum" : "best known", table.best_source);
}

std::string table_text(const BenchTable& table, bool timing, const TextStyle& style) {
  const Instance& instance = table.instance;
  const std::string head = fmt::format(
      "{}: {}\n  {}, {}, {} on {}, {}{}\n  {}{}\n", instance.name, instance.description,
      instance.guest, counted(table.ranks, "rank"), counted(table.edges, "edge"), instance.network,
      counted(table.hosts, "host"), instance.hosts == "all" ? "" : " (" + instance.hosts + ")",
      best_text(table), table.bound ? fmt::format("; bound {:.8g}", *table.bound) : "");
  const bool any = std::any_of(table.rows.begin(), table.rows.end(),
                               [](const BenchRow& row) { return row.status == RunStatus::ok; });
  std::string text = folded(head, style.width, 4);
  if (any) text += text_table(columns_of(table, timing), {style});
  std::string last;  // all seeds say the same
  for (const BenchRow& row : table.rows) {
    if (row.status == RunStatus::ok) continue;
    std::string line = fmt::format("{}: {}: {}\n", row.mapper, to_string(row.status), row.words);
    if (line != last) text += folded(line, style.width);
    last = std::move(line);
  }
  return text + '\n';
}

/// The mapper that the others are tested against.
const std::string& tested(const BenchReport& report) {
  return report.against.empty() ? report.league.front().mapper : report.against;
}

/// Tests of that mapper against the others, of enough instances.
std::vector<MapperPair> tests_of(const BenchReport& report) {
  if (!reason_not_tested(report).empty()) return {};
  auto pairs = compare_mappers(report.tables, report.league, report.against);
  std::erase_if(pairs, [&](const MapperPair& pair) { return pair.first != tested(report); });
  return pairs;
}

/// Of the test of that mapper against this one: its effect size, else its p-value.
std::string test_text(const BenchReport& report, const std::string& mapper,
                      const std::vector<MapperPair>& pairs, bool effect) {
  for (const MapperPair& pair : pairs) {
    if (pair.first != tested(report) || pair.second != mapper) continue;
    if (pair.instances == 0) return "-";
    if (!effect) return fmt::format("{:.2g}", pair.adjusted_p);
    return pair.test.rank_biserial() ? fmt::format("{:.2f}", *pair.test.rank_biserial()) : "-";
  }
  return "-";
}

std::string league_text(const BenchReport& report, const TextStyle& style) {
  const std::vector<MapperPair> pairs = tests_of(report);
  std::string legend =
      "mean /best: geometric mean of value / best over the solved rows; most solved first\n";
  if (!pairs.empty())
    legend += fmt::format(
        "p: Wilcoxon's signed-rank test against {0}, Holm-adjusted; effect: rank-biserial, 1 where "
        "{0} is better on all; of instances that both solved\n",
        tested(report));
  else if (report.league.size() > 1)
    legend += reason_not_tested(report) + '\n';
  return text_table(league_columns(report, pairs, report.timing), {style}) +
         folded(legend, style.width);
}

/// `mine against block: 7 % less in the mean, better on 8 and worse on 1 of 9 instances`.
std::string against_text(const BenchReport& report, const TextStyle& style) {
  if (report.against.empty()) return {};
  std::string text = "\n";
  for (const MapperPair& pair : compare_mappers(report.tables, report.league, report.against)) {
    text += fmt::format("{} against {}: ", pair.first, pair.second);
    if (pair.instances == 0) {
      text += "no instance that both solved\n";
      continue;
    }
    if (pair.mean_ratio)
      text += fmt::format("{:.3f} of its value in the geometric mean, ", *pair.mean_ratio);
    text += fmt::format("better on {} and worse on {} of {}\n", pair.first_better,
                        pair.second_better, counted(pair.instances, "instance"));
  }
  return folded(text, style.width);
}

/// `10000`, `0.1`: as on the command line.
std::string budget_text(double budget) {
  return fmt::format("{}", budget);
}

/// A row for each mapper, a column for each budget.
std::string curves_text(const BenchReport& report, const TextStyle& style) {
  const auto curves = quality_curves(report.tables, report.league);
  if (curves.empty()) return {};
  const bool has_seeds = std::any_of(curves.begin(), curves.end(),
                                     [](const QualityCurve& curve) { return curve.seeds > 1; });
  std::vector<TextColumn> columns{{"", "mapper", {}, Align::left}, {"", "instances", {}}};
  const std::string group = fmt::format("mean /best with so many {}", report.budgets.unit());
  for (const double budget : report.budgets.values)
    columns.push_back({group, budget_text(budget), {}});
  for (const QualityCurve& curve : curves) {
    columns[0].cells.push_back(curve.mapper);
    columns[1].cells.push_back(fmt::format("{}", curve.instances));
    for (std::size_t b = 0; b < report.budgets.values.size(); ++b) {
      std::string cell = "-";
      if (b < curve.points.size()) {
        const CurvePoint& point = curve.points[b];
        cell = fmt::format("{:.3f}", point.mean);
        if (curve.seeds > 1) cell += fmt::format(" ({:.3f}-{:.3f})", point.least, point.most);
      }
      columns[2 + b].cells.push_back(cell);
    }
  }
  return '\n' + text_table(columns, {style}) +
         folded(fmt::format("geometric means over the instances that a mapper solved with every "
                            "budget{}; the tables above are of {} {}\n",
                            has_seeds ? " and seed (least and most of a seed)" : "",
                            budget_text(report.budgets.values.back()), report.budgets.unit()),
                style.width);
}

std::string optional_cell(const std::optional<double>& value) {
  return value ? csv_cell(*value) : "";
}

}  // namespace

std::string reason_not_tested(const BenchReport& report) {
  const std::size_t mappers = report.league.size(),
                    pairs = report.against.empty() ? mappers * (mappers - 1) / 2 : mappers - 1;
  if (mappers < 2) return "one mapper alone";
  if (report.tables.size() >= static_cast<std::size_t>(fewest_instances(pairs))) return {};
  return fmt::format("too few instances: {} {} {}", counted(static_cast<int>(pairs), "pair"),
                     pairs == 1 ? "needs" : "need", fewest_instances(pairs));
}

std::vector<TextColumn> league_columns(const BenchReport& report,
                                       const std::vector<MapperPair>& pairs, bool timing) {
  std::vector<TextColumn> columns;
  const auto add = [&](std::string heading, auto cell) {
    columns.push_back({"", std::move(heading), {}});
    for (const LeagueRow& row : report.league) columns.back().cells.push_back(cell(row));
  };
  const auto number = [](int value) { return fmt::format("{}", value); };
  add("mapper", [](const LeagueRow& row) { return row.mapper; });
  columns.back().align = Align::left;
  add("mean /best", [](const LeagueRow& row) { return decimals(row.mean_ratio); });
  add("worst /best", [](const LeagueRow& row) { return decimals(row.worst_ratio); });
  add("at best", [&](const LeagueRow& row) { return number(row.best); });
  add("solved", [&](const LeagueRow& row) { return number(row.solved); });
  add("failed", [&](const LeagueRow& row) { return number(row.failed); });
  add("left out", [&](const LeagueRow& row) { return number(row.not_applicable); });
  if (!pairs.empty())
    for (const bool effect : {false, true})
      add(effect ? "effect" : "p",
          [&](const LeagueRow& row) { return test_text(report, row.mapper, pairs, effect); });
  if (timing) add("CPU s", [](const LeagueRow& row) { return seconds_text(row.cpu_time); });
  return columns;
}

std::span<const BenchField> bench_fields() {
  return fields;
}

FieldValue told_value(const BenchField& field, const BenchReport& report, const BenchTable& table,
                      const BenchRow& row) {
  const bool measured = field.measured && row.status != RunStatus::not_applicable;
  return field.measured && !(measured && report.timing) ? FieldValue{} : field.value(table, row);
}

std::string render_bench_table(const BenchReport& report, const TextStyle& style) {
  std::string text;
  for (const BenchTable& table : report.tables) text += table_text(table, report.timing, style);
  return text + league_text(report, style) + curves_text(report, style) +
         against_text(report, style);
}

std::string list_instances_table(std::span<const Instance> instances, const TextStyle& style) {
  std::string text;
  for (const Instance& instance : instances) {
    text +=
        fmt::format("{}{}\n  {}\n  {} on {}{}\n", instance.name, instance.quick ? " (quick)" : "",
                    instance.description, instance.guest, instance.network,
                    instance.slots > 1 ? fmt::format(", {} slots", instance.slots) : "");
    if (instance.best)
      text += fmt::format("  {} {:.8g}, {}: {}\n", words_of(field_name(*instance.best->measure)),
                          instance.best->value, instance.best->proven ? "optimum" : "best known",
                          instance.best->source);
  }
  return folded(text, style.width, 4);
}

std::string render_bench_csv(const BenchReport& report) {
  std::string text;
  for (const BenchField& field : bench_fields()) {
    if (!text.empty()) text += ',';
    text += field.name;
  }
  const bool has_budgets = !report.budgets.values.empty();
  if (has_budgets) text += fmt::format(",{}", report.budgets.unit());
  text += '\n';
  for (const BenchTable& table : report.tables)
    for (const auto* rows : {&table.rows, &table.with_less})
      for (const BenchRow& row : *rows) {
        std::string line;
        for (const BenchField& field : bench_fields()) {
          if (&field != bench_fields().data()) line += ',';
          line += csv_cell(told_value(field, report, table, row));
        }
        if (has_budgets) line += ',' + optional_cell(row.budget);
        text += line + '\n';
      }
  return text;
}

std::string render_curves_csv(const BenchReport& report) {
  std::string text = fmt::format("mapper,{},mean_ratio,least_ratio,most_ratio,seeds,instances\n",
                                 report.budgets.unit());
  for (const QualityCurve& curve : quality_curves(report.tables, report.league))
    for (const CurvePoint& point : curve.points)
      text += fmt::format("{},{},{},{},{},{},{}\n", csv_text(curve.mapper), point.budget,
                          point.mean, point.least, point.most, curve.seeds, curve.instances);
  return text;
}

std::string render_league_csv(const BenchReport& report) {
  std::string text =
      "mapper,solved,failed,not_applicable,best,mean_ratio,worst_ratio,cpu_seconds\n";
  for (const LeagueRow& row : report.league)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", csv_text(row.mapper), row.solved, row.failed,
                        row.not_applicable, row.best, optional_cell(row.mean_ratio),
                        optional_cell(row.worst_ratio),
                        report.timing ? csv_cell(row.cpu_time.value) : "");
  return text;
}

std::string render_pairs_csv(const BenchReport& report) {
  std::string text =
      "first,second,instances,first_better,second_better,mean_ratio,pairs,rank_sum_up,"
      "rank_sum_down,p_value,exact,adjusted_p,rank_biserial\n";
  for (const MapperPair& pair : compare_mappers(report.tables, report.league, report.against))
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_text(pair.first), csv_text(pair.second),
        pair.instances, pair.first_better, pair.second_better, optional_cell(pair.mean_ratio),
        pair.test.pairs, pair.test.rank_sum_up, pair.test.rank_sum_down, pair.test.p_value,
        pair.test.exact ? "yes" : "no", pair.adjusted_p, optional_cell(pair.test.rank_biserial()));
  return text;
}

std::string render_profiles_csv(const BenchReport& report) {
  std::string text = "mapper,ratio,share\n";
  for (const PerformanceProfile& profile : performance_profiles(report.tables, report.league))
    for (std::size_t i = 0; i < profile.ratios.size(); ++i) {
      const bool is_last =
          i + 1 == profile.ratios.size() || profile.ratios[i + 1] > profile.ratios[i];
      if (is_last)
        text += fmt::format("{},{},{}\n", csv_text(profile.mapper), profile.ratios[i],
                            profile.share(profile.ratios[i]));
    }
  return text;
}

std::string list_instances_csv(std::span<const Instance> instances) {
  std::string text =
      "name,description,guest,volumes,network,routing,slots,measure,quick,best_known,proven,"
      "source\n";
  for (const Instance& instance : instances) {
    for (const std::string& cell : {instance.name, instance.description, instance.guest,
                                    instance.volumes, instance.network, to_string(instance.routing),
                                    std::to_string(instance.slots), field_name(*instance.measure)})
      text += csv_text(cell) + ',';
    text += instance.quick ? "yes," : "no,";
    if (instance.best)
      text += csv_cell(instance.best->value) + (instance.best->proven ? ",yes," : ",no,") +
              csv_text(instance.best->source);
    else
      text += ",,";
    text += '\n';
  }
  return text;
}

}  // namespace vtopo::detail

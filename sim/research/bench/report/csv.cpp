#include <fmt/format.h>

#include "sim/research/bench/statistics/mapper_pairs.hpp"
#include "sim/research/bench/statistics/performance_profile.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/report/csv_cells.hpp"

namespace vtopo::detail {

namespace {

std::string optional_cell(const std::optional<double>& value) {
  return value ? csv_cell(*value) : "";
}

}  // namespace

std::string render_bench_csv(const BenchReport& report) {
  std::string text;
  for (const BenchField& field : bench_fields()) {
    if (!text.empty()) text += ',';
    text += field.name;
  }
  text += '\n';
  for (const BenchTable& table : report.tables)
    for (const BenchRow& row : table.rows) {
      std::string line;
      for (const BenchField& field : bench_fields()) {
        if (&field != bench_fields().data()) line += ',';
        line += csv_cell(told_value(field, report, table, row));
      }
      text += line + '\n';
    }
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
      "rank_sum_down,p_value,exact,adjusted_p\n";
  for (const MapperPair& pair : compare_mappers(report.tables, report.league))
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_text(pair.first),
                        csv_text(pair.second), pair.instances, pair.first_better,
                        pair.second_better, optional_cell(pair.mean_ratio), pair.test.pairs,
                        pair.test.rank_sum_up, pair.test.rank_sum_down, pair.test.p_value,
                        pair.test.exact ? "yes" : "no", pair.adjusted_p);
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

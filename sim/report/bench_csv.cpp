#include "sim/report/bench_report.hpp"
#include "sim/report/csv_cells.hpp"

namespace vtopo::detail {

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

std::string list_instances_csv(std::span<const Instance> instances) {
  std::string text =
      "name,description,guest,volumes,network,routing,slots,measure,quick,best_known,proven,"
      "source\n";
  for (const Instance& instance : instances) {
    for (const std::string& cell :
         {instance.name, instance.description, instance.guest, instance.volumes, instance.network,
          to_string(instance.routing), std::to_string(instance.slots), instance.measure->name})
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

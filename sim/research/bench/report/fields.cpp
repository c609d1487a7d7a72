#include <cmath>

#include "sim/research/bench/report/bench_report.hpp"

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

}  // namespace

std::span<const BenchField> bench_fields() {
  return fields;
}

FieldValue told_value(const BenchField& field, const BenchReport& report, const BenchTable& table,
                      const BenchRow& row) {
  const bool measured = field.measured && row.status != RunStatus::not_applicable;
  return field.measured && !(measured && report.timing) ? FieldValue{} : field.value(table, row);
}

}  // namespace vtopo::detail

#include "sim/report/fields.hpp"

#include <cmath>

namespace vtopo {

namespace {

FieldValue integer(std::int64_t value) {
  return value;
}

/// JSON knows neither infinity nor NaN: null stands for both, in CSV too.
FieldValue real(double value) {
  if (!std::isfinite(value)) return {};
  return value;
}

FieldValue text(const std::string& value) {
  if (value.empty()) return {};
  return value;
}

FieldValue makespan(const Row& row) {
  return row.simulation ? real(row.simulation->makespan.value) : FieldValue{};
}

FieldValue mapping_seconds(const Row& row) {
  return row.timing && row.mapping_time ? real(row.mapping_time->value) : FieldValue{};
}

FieldValue simulation_seconds(const Row& row) {
  return row.timing && row.simulation ? real(row.simulation->wall_seconds.value) : FieldValue{};
}

constexpr RowField field_table[] = {
    {"mapper", FieldKind::text, [](const Row& row) { return FieldValue{row.mapper}; }},
    {"seed", FieldKind::number, [](const Row& row) { return FieldValue{row.seed}; }},
    {"ranks", FieldKind::number, [](const Row& row) { return integer(row.ranks); }},
    {"hosts", FieldKind::number, [](const Row& row) { return integer(row.hosts); }},
    {"edges", FieldKind::number, [](const Row& row) { return integer(row.metrics.edges); }},
    {"total_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.total_volume.value); }},
    {"intra_host_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.intra_host_volume.value); }},
    {"max_dilation", FieldKind::number,
     [](const Row& row) { return integer(row.metrics.max_dilation); }},
    {"mean_dilation", FieldKind::number,
     [](const Row& row) { return real(row.metrics.mean_dilation); }},
    {"mean_hops_per_byte", FieldKind::number,
     [](const Row& row) { return real(row.metrics.mean_hops_per_byte); }},
    {"hop_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.hop_bytes.value); }},
    {"max_link_load", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.max_link_load.value); }},
    {"mean_link_load", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.mean_link_load.value); }},
    {"max_flows_per_link", FieldKind::number,
     [](const Row& row) { return integer(row.metrics.max_flows_per_link); }},
    {"max_congestion", FieldKind::seconds,
     [](const Row& row) { return real(row.metrics.max_congestion.value); }},
    {"jsum", FieldKind::number, [](const Row& row) { return integer(row.metrics.jsum); }},
    {"jmax", FieldKind::number, [](const Row& row) { return integer(row.metrics.jmax); }},
    {"hop_bytes_bound", FieldKind::bytes,
     [](const Row& row) { return real(row.bounds.hop_bytes.value); }},
    {"congestion_bound", FieldKind::seconds,
     [](const Row& row) { return real(row.bounds.congestion.value); }},
    {"mapping_seconds", FieldKind::seconds, mapping_seconds},
    {"makespan", FieldKind::seconds, makespan},
    {"solver", FieldKind::text, [](const Row& row) { return text(row.solver); }},
    {"network_model", FieldKind::text, [](const Row& row) { return text(row.network_model); }},
    {"simulation_seconds", FieldKind::seconds, simulation_seconds},
    {"routing", FieldKind::text, [](const Row& row) { return text(to_string(row.routing)); }},
    {"hop_bytes_bound_kind", FieldKind::text,
     [](const Row& row) { return text(row.bounds.hop_bytes_kind); }},
    {"congestion_bound_kind", FieldKind::text,
     [](const Row& row) { return text(row.bounds.congestion_kind); }},
    {"mean_congestion", FieldKind::seconds,
     [](const Row& row) { return real(row.metrics.mean_congestion.value); }},
};

}  // namespace

std::span<const RowField> row_fields() {
  return field_table;
}

}  // namespace vtopo

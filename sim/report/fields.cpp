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

constexpr RowField fields[] = {
    {"mapper", [](const Row& row) { return FieldValue{row.mapper}; }},
    {"seed", [](const Row& row) { return FieldValue{row.seed}; }},
    {"ranks", [](const Row& row) { return integer(row.ranks); }},
    {"hosts", [](const Row& row) { return integer(row.hosts); }},
    {"edges", [](const Row& row) { return integer(row.metrics.edges); }},
    {"total_bytes", [](const Row& row) { return real(row.metrics.total_volume.value); }},
    {"intra_host_bytes", [](const Row& row) { return real(row.metrics.intra_host_volume.value); }},
    {"max_dilation", [](const Row& row) { return integer(row.metrics.max_dilation); }},
    {"mean_dilation", [](const Row& row) { return real(row.metrics.mean_dilation); }},
    {"mean_hops_per_byte", [](const Row& row) { return real(row.metrics.mean_hops_per_byte); }},
    {"hop_bytes", [](const Row& row) { return real(row.metrics.hop_bytes.value); }},
    {"max_link_load", [](const Row& row) { return real(row.metrics.max_link_load.value); }},
    {"mean_link_load", [](const Row& row) { return real(row.metrics.mean_link_load.value); }},
    {"max_flows_per_link", [](const Row& row) { return integer(row.metrics.max_flows_per_link); }},
    {"max_congestion", [](const Row& row) { return real(row.metrics.max_congestion.value); }},
    {"jsum", [](const Row& row) { return integer(row.metrics.jsum); }},
    {"jmax", [](const Row& row) { return integer(row.metrics.jmax); }},
    {"hop_bytes_bound", [](const Row& row) { return real(row.bounds.hop_bytes.value); }},
    {"congestion_bound", [](const Row& row) { return real(row.bounds.congestion.value); }},
    {"mapping_seconds", mapping_seconds},
    {"makespan", makespan},
    {"solver", [](const Row& row) { return text(row.solver); }},
    {"network_model", [](const Row& row) { return text(row.network_model); }},
    {"simulation_seconds", simulation_seconds},
};

}  // namespace

std::span<const RowField> row_fields() {
  return fields;
}

}  // namespace vtopo

#include "sim/report/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

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
    {"mapper", FieldKind::text, [](const Row& row) { return FieldValue{row.mapper}; }, "mapper"},
    {"seed", FieldKind::number, [](const Row& row) { return FieldValue{row.seed}; }, "seed"},
    {"ranks", FieldKind::number, [](const Row& row) { return integer(row.ranks); }, "ranks"},
    {"hosts", FieldKind::number, [](const Row& row) { return integer(row.hosts); }, "hosts"},
    {"edges", FieldKind::number, [](const Row& row) { return integer(row.metrics.edges); },
     "edges"},
    {"total_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.total_volume.value); }, "volume"},
    {"intra_host_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.intra_host_volume.value); }, "inside hosts"},
    {"max_dilation", FieldKind::number,
     [](const Row& row) { return integer(row.metrics.max_dilation); }, "most hops"},
    {"mean_dilation", FieldKind::number,
     [](const Row& row) { return real(row.metrics.mean_dilation); }, "mean hops"},
    {"mean_hops_per_byte", FieldKind::number,
     [](const Row& row) { return real(row.metrics.mean_hops_per_byte); }, "hops per byte"},
    {"hop_bytes", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.hop_bytes.value); }, "hop-bytes",
     "bytes times the links that they cross", true},
    {"max_link_load", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.max_link_load.value); }, "most on a link",
     "bytes", true},
    {"mean_link_load", FieldKind::bytes,
     [](const Row& row) { return real(row.metrics.mean_link_load.value); }, "mean on a link"},
    {"max_flows_per_link", FieldKind::number,
     [](const Row& row) { return integer(row.metrics.max_flows_per_link); },
     "most flows on a link"},
    {"max_congestion", FieldKind::seconds,
     [](const Row& row) { return real(row.metrics.max_congestion.value); }, "busiest link",
     "time that it needs for its bytes, the static time", true},
    {"jsum", FieldKind::number, [](const Row& row) { return integer(row.metrics.jsum); },
     "edges between hosts"},
    {"jmax", FieldKind::number, [](const Row& row) { return integer(row.metrics.jmax); },
     "most edges of a host"},
    {"hop_bytes_bound", FieldKind::bytes,
     [](const Row& row) { return real(row.bounds.hop_bytes.value); }, "bound of hop-bytes"},
    {"congestion_bound", FieldKind::seconds,
     [](const Row& row) { return real(row.bounds.congestion.value); }, "bound of the busiest link"},
    {"mapping_seconds", FieldKind::seconds, mapping_seconds, "mapping took"},
    {"makespan", FieldKind::seconds, makespan, "simulated time", "", true},
    {"solver", FieldKind::text, [](const Row& row) { return text(row.solver); }, "solver"},
    {"network_model", FieldKind::text, [](const Row& row) { return text(row.network_model); },
     "network model"},
    {"simulation_seconds", FieldKind::seconds, simulation_seconds, "simulation took"},
    {"routing", FieldKind::text, [](const Row& row) { return text(to_string(row.routing)); },
     "routing"},
    {"hop_bytes_bound_kind", FieldKind::text,
     [](const Row& row) { return text(row.bounds.hop_bytes_kind); }, "kind of bound of hop-bytes"},
    {"congestion_bound_kind", FieldKind::text,
     [](const Row& row) { return text(row.bounds.congestion_kind); },
     "kind of bound of the busiest link"},
    {"mean_congestion", FieldKind::seconds,
     [](const Row& row) { return real(row.metrics.mean_congestion.value); }, "mean of all links",
     "time that a link needs for its bytes", true},
};

/// What version 0.1 called a field in tables.
constexpr std::pair<std::string_view, std::string_view> old_names[] = {
    {"busiest_link", "max_congestion"},
    {"static", "max_congestion"},
    {"static_bound", "max_congestion"},
    {"static_time", "max_congestion"},
    {"simulated", "makespan"},
    {"simulated_time", "makespan"},
    {"time", "makespan"},
};

std::string current_name(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  for (const auto& [old_name, current] : old_names)
    if (result == old_name) return std::string(current);
  return result;
}

}  // namespace

std::span<const RowField> row_fields() {
  return field_table;
}

std::size_t field_index(const RowField& field) {
  return static_cast<std::size_t>(&field - row_fields().data());
}

std::vector<const RowField*> fields_of_columns(std::string_view list) {
  std::vector<const RowField*> fields;
  if (list == "all") {
    for (const RowField& field : row_fields())
      if (field.name != "mapper") fields.push_back(&field);
    return fields;
  }
  std::vector<std::string> names;
  for (const RowField& field : row_fields()) names.emplace_back(field.name);
  for (const auto piece : split(list, ',')) {
    const std::string_view name = trim(piece);
    const std::string current = current_name(name);
    const auto found = std::find_if(
        row_fields().begin(), row_fields().end(),
        [&](const RowField& field) { return field.name == current || field.words == name; });
    if (found == row_fields().end())
      throw UsageError(fmt::format("--columns \"{}\": unknown column \"{}\"; accepted: all, {}{}",
                                   list, name, join(names, ", "), suggestion(name, names)));
    if (found->name != "mapper") fields.push_back(&*found);  // it is there anyway
  }
  return fields;
}

std::optional<double> number_of(const FieldValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*number);
  return std::nullopt;
}

std::optional<std::string> note_on_old_name(std::string_view name) {
  const std::string current = current_name(name);
  std::string as_written(name);
  std::replace(as_written.begin(), as_written.end(), '-', '_');
  if (current == as_written) return std::nullopt;
  return fmt::format("\"{}\" is called {} now", name, current);
}

const RowField& numeric_field(std::string_view name, std::string_view whole) {
  const std::string current = current_name(name);
  std::vector<std::string> names;
  for (const RowField& field : row_fields()) {
    if (field.kind == FieldKind::text) continue;
    if (field.name == current) return field;
    names.emplace_back(field.name);
  }
  throw UsageError(fmt::format("unknown field \"{}\" in \"{}\"; accepted: {}{}", name, whole,
                               join(names, ", "), suggestion(name, names)));
}

}  // namespace vtopo::detail

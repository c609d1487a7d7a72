#include <fmt/format.h>

#include <algorithm>

#include "sim/report/csv_cells.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"
#include "topology/base/formula_cells.hpp"

namespace vtopo {

using namespace detail;

namespace {

std::string fields_of(const Row& row) {
  std::string line;
  for (const auto& field : row_fields()) {
    if (&field != row_fields().data()) line += ',';
    line += csv_cell(field.value(row));
  }
  return line;
}

/// What is known of ideal routing, in reports that ask for it.
std::string ideal_fields(const Row& row) {
  const auto cell = [](const std::optional<Seconds>& time) {
    return "," + csv_cell(time ? FieldValue{time->value} : FieldValue{});
  };
  return cell(row.ideal_congestion) + cell(row.ideal_congestion_bound);
}

/// One line per phase: a step as if it were all there is, without bounds.
std::string phase_lines(const Row& row, bool has_ideal) {
  Row step = row;
  step.phases.clear();
  step.bounds = {};
  step.mapping_time.reset();
  std::string text;
  for (const auto& phase : row.phases) {
    step.metrics = phase.metrics;
    step.simulation = phase.simulation;
    text += fmt::format("{}{},{},{}\n", fields_of(step), has_ideal ? ",," : "",
                        csv_text(phase.name), phase.repeat);
  }
  return text;
}

struct CsvCell {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& text) const { return csv_text(text); }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string render_csv(const Report& report) {
  const bool has_phases = std::any_of(report.rows.begin(), report.rows.end(),
                                      [](const Row& row) { return !row.phases.empty(); });
  const bool has_ideal = std::any_of(report.rows.begin(), report.rows.end(), [](const Row& row) {
    return row.ideal_congestion.has_value();
  });
  std::string text;
  for (const auto& field : row_fields()) {
    if (!text.empty()) text += ',';
    text += field.name;
  }
  if (has_ideal) text += ",ideal_congestion,ideal_congestion_bound";
  text += has_phases ? ",phase,repeat\n" : "\n";
  for (const auto& row : report.rows) {
    text += fields_of(row) + (has_ideal ? ideal_fields(row) : "") + (has_phases ? ",,\n" : "\n");
    text += phase_lines(row, has_ideal);
  }
  return text;
}

std::string detail::csv_text(std::string_view text) {
  if (runs_as_formula(text)) return csv_text(without_formula(text));
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string detail::csv_cell(const FieldValue& value) {
  return std::visit(CsvCell{}, value);
}

}  // namespace vtopo

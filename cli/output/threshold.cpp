#include "cli/output/threshold.hpp"

#include <fmt/format.h>

#include "sim/report/fields.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Limit in the unit of the field.
double parse_limit(const RowField& field, std::string_view whole, std::string_view text) {
  if (field.kind == FieldKind::bytes) return parse_bytes(text).value;
  if (field.kind == FieldKind::seconds) return parse_seconds(text).value;
  if (const auto number = parse_number(text)) return *number;
  throw UsageError(
      fmt::format("limit \"{}\" in \"{}\": {} is a plain number", text, whole, field.name));
}

bool compares(double value, std::string_view comparison, double limit) {
  if (comparison == ">") return value > limit;
  if (comparison == ">=") return value >= limit;
  if (comparison == "<") return value < limit;
  return value <= limit;
}

std::string with_unit(const RowField& field, double value) {
  if (field.kind == FieldKind::bytes) return format_bytes({value});
  if (field.kind == FieldKind::seconds) return format_seconds({value});
  return fmt::format("{}", value);
}

}  // namespace

Threshold parse_threshold(std::string_view text) {
  for (const std::string_view comparison : {">=", "<=", ">", "<"}) {
    const auto at = text.find(comparison);
    if (at == std::string_view::npos) continue;
    const RowField& field = numeric_field(trim(text.substr(0, at)), text);
    return {std::string(text), &field, std::string(comparison),
            parse_limit(field, text, trim(text.substr(at + comparison.size()))),
            note_on_old_name(trim(text.substr(0, at)))};
  }
  throw UsageError(fmt::format("\"{}\" is not a condition; write it as max_congestion>2ms", text));
}

std::optional<std::string> exceeded(const Threshold& threshold, const Report& report) {
  for (const Row& row : report.rows) {
    const auto value = number_of(threshold.field->value(row));
    if (value && compares(*value, threshold.comparison, threshold.limit))
      return fmt::format("{}: {} is {}, which meets the condition {}", row.mapper,
                         threshold.field->name, with_unit(*threshold.field, *value),
                         threshold.text);
  }
  return std::nullopt;
}

}  // namespace vtopo::detail

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"

namespace vtopo::detail {

/// A condition on the numbers of a row such as `max_congestion>2ms` or `max_dilation>=6`.
struct Threshold {
  std::string text;
  const RowField* field;  ///< never text
  std::string comparison;
  double limit = 0;  ///< in the unit of the field: bytes, seconds or a plain number
};

/// @throws UsageError unless it is a numeric field, one of > >= < <= and a limit of the field's
/// kind.
Threshold parse_threshold(std::string_view text);

/// Sentence on the first row that meets the condition, if one does; null values never do.
std::optional<std::string> exceeded(const Threshold& threshold, const Report& report);

}  // namespace vtopo::detail

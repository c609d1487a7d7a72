#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/report/report.hpp"

namespace vtopo::detail {

/// One value of a row; `std::monostate` is null: not simulated, not measured or not finite.
using FieldValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

/// What a field counts: text, a plain number, bytes or seconds.
enum class FieldKind { text, number, bytes, seconds };

/// A field of a row: its name in the CSV header and in the JSON document, how to get it, and what
/// tables call it.
struct RowField {
  std::string_view name;
  FieldKind kind;
  FieldValue (*value)(const Row&);
  std::string_view words;
  std::string_view meaning = {};  ///< clause for legends; may be empty
  bool is_compared = false;       ///< whether tables say how far rows are from the baseline
};

/// All fields in the order of the contract; volumes in bytes, times in seconds. CSV and JSON both
/// read this list, so that a new field is one line.
std::span<const RowField> row_fields();

/// Index of a field in `row_fields`.
std::size_t field_index(const RowField& field);

/// The fields of `--columns`: a comma list of names, also with dashes, or of what tables call
/// them, or `all`.
/// @throws UsageError with the fields there are.
std::vector<const RowField*> fields_of_columns(std::string_view list);

/// The value as a number; absent for text and null.
std::optional<double> number_of(const FieldValue& value);

/// Sentence on a name that is an old one, `"static" is called max_congestion now`; nothing for
/// others.
std::optional<std::string> note_on_old_name(std::string_view name);

/// The field with numbers of a name, of the same with dashes, or of an old name: `static` was
/// `max_congestion`, `simulated` was `makespan`.
/// @param whole what the name stands in, for the message.
/// @throws UsageError with the fields there are.
const RowField& numeric_field(std::string_view name, std::string_view whole);

}  // namespace vtopo::detail

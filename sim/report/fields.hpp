#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "sim/report/report.hpp"

namespace vtopo {

/// One value of a row; `std::monostate` is null: not simulated, not measured or not finite.
using FieldValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string>;

/// What a field counts: text, a plain number, bytes or seconds.
enum class FieldKind { text, number, bytes, seconds };

/// A field of a row: its name in the CSV header and in the JSON document, and how to get it.
struct RowField {
  std::string_view name;
  FieldKind kind;
  FieldValue (*value)(const Row&);
};

/// All fields in the order of the contract; volumes in bytes, times in seconds. CSV and JSON both
/// read this list, so that a new field is one line.
std::span<const RowField> row_fields();

}  // namespace vtopo

#include "sim/report/csv_cells.hpp"

#include <fmt/format.h>

#include "topology/base/formula_cells.hpp"

namespace vtopo::detail {

namespace {

struct CsvCell {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& text) const { return csv_text(text); }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string csv_text(std::string_view text) {
  if (runs_as_formula(text)) return csv_text(without_formula(text));
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csv_cell(const FieldValue& value) {
  return std::visit(CsvCell{}, value);
}

}  // namespace vtopo::detail

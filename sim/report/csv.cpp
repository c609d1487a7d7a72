#include <fmt/format.h>

#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"

namespace vtopo {

namespace {

/// Quoted as RFC 4180 says, only where a reader needs it.
std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

struct CsvCell {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& text) const { return quoted(text); }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string render_csv(const Report& report) {
  std::string text;
  for (const auto& field : row_fields()) {
    if (!text.empty()) text += ',';
    text += field.name;
  }
  text += '\n';
  for (const auto& row : report.rows) {
    std::string line;
    for (const auto& field : row_fields()) {
      if (&field != row_fields().data()) line += ',';
      line += std::visit(CsvCell{}, field.value(row));
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace vtopo

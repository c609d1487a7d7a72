#include "sim/report/csv_cells.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"

namespace vtopo {

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
      line += csv_cell(field.value(row));
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace vtopo

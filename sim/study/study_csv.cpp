#include <fmt/format.h>

#include <algorithm>

#include "sim/report/csv_cells.hpp"
#include "sim/study/study_report.hpp"

namespace vtopo::detail {

namespace {

/// A setting and a field of one name hold the same in these; elsewhere the setting is what was
/// asked for (`hosts` `random:8`) and the field what came of it (8).
bool is_both(std::string_view name) {
  return name == "mapper" || name == "seed" || name == "routing";
}

bool is_field(std::string_view name) {
  const auto fields = row_fields();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const RowField& field) { return field.name == name; });
}

std::string heading(const Study& study) {
  std::string line;
  for (const std::string& name : study.settings)
    line += fmt::format("{}{}{}", line.empty() ? "" : ",", name,
                        is_field(name) && !is_both(name) ? "_setting" : "");
  for (const RowField& field : row_fields())
    if (!is_both(field.name)) line += fmt::format(",{}", field.name);
  return line + ",error,exit_code\n";
}

}  // namespace

std::string render_study_csv(const Study& study) {
  std::string text = heading(study);
  for (const StudyRow& row : study.rows) {
    std::string line;
    for (std::size_t s = 0; s < row.settings.size(); ++s)
      line += (s == 0 ? "" : ",") + csv_text(row.settings[s]);
    for (std::size_t f = 0; f < row_fields().size(); ++f)
      if (!is_both(row_fields()[f].name))
        line += ',' + (row.values.empty() ? "" : csv_cell(row.values[f]));
    text += fmt::format("{},{},{}\n", line, csv_text(row.error), row.exit_code);
  }
  return text;
}

}  // namespace vtopo::detail

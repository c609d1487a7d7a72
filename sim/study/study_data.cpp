#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "sim/report/csv_cells.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/version.hpp"
#include "sim/study/study.hpp"

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

using Json = nlohmann::ordered_json;

Json setting_value(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json row_of(const Study& study, const StudyRow& row, const std::vector<std::size_t>& axes) {
  Json object = {{"settings", Json::object()}};
  for (const std::size_t s : axes)
    object["settings"][study.settings[s]] = setting_value(row.settings[s]);
  if (row.values.empty()) {
    object["error"] = row.error;
    object["exit_code"] = row.exit_code;
    return object;
  }
  for (std::size_t f = 0; f < row.values.size(); ++f)
    object[std::string(row_fields()[f].name)] = std::visit(JsonValue{}, row.values[f]);
  return object;
}

/// What no embedding is below, in the scenario of a row; null where it failed.
Json bounds_of(const StudyRow* row) {
  if (row == nullptr) return nullptr;
  Json object = Json::object();
  for (std::size_t f = 0; f < row->values.size(); ++f)
    if (row_fields()[f].name.find("_bound") != std::string_view::npos)
      object[std::string(row_fields()[f].name)] = std::visit(JsonValue{}, row->values[f]);
  return object;
}

/// Bounds that all rows share, else null: those of each row are in it.
Json shared_bounds(const Study& study) {
  Json shared = nullptr;
  for (const StudyRow& row : study.rows) {
    if (row.values.empty()) continue;
    const Json own = bounds_of(&row);
    if (!shared.is_null() && shared != own) return nullptr;
    shared = own;
  }
  return shared;
}

Json best_of(const Study& study, const GroupedStudy& grouped, const StudyGroup& group) {
  const StudyCase& best = group.cases.front();
  Json object = {{"settings", Json::object()}};
  for (std::size_t s = 0; s < grouped.group_by.size(); ++s)
    object["settings"][study.settings[grouped.group_by[s]]] = setting_value(group.names[s]);
  for (std::size_t s = 0; s < grouped.shown.size(); ++s)
    object["settings"][study.settings[grouped.shown[s]]] = setting_value(best.names[s]);
  object["draws"] = best.draws.size();
  object["bounds"] = bounds_of(best.draws.empty() ? nullptr : best.draws.front());
  const auto spread = best.spread(grouped.best);
  object["median"] = spread ? Json(spread->median) : Json(nullptr);
  object["least"] = spread ? Json(spread->least) : Json(nullptr);
  object["most"] = spread ? Json(spread->most) : Json(nullptr);
  if (const StudyCase* baseline = group.baseline()) {
    const auto before = baseline->spread(grouped.best);
    object["baseline"] = {{"settings", Json::object()},
                          {"median", before ? Json(before->median) : Json(nullptr)}};
    for (std::size_t s = 0; s < grouped.shown.size(); ++s)
      object["baseline"]["settings"][study.settings[grouped.shown[s]]] =
          setting_value(baseline->names[s]);
  }
  return object;
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

std::string render_study_json(const Study& study, const StudyView& view) {
  const GroupedStudy grouped = group_study(study, view);
  const std::vector<std::size_t> axes = axes_of(study);
  Json document = {
      {"schema", "vtopo/study/v1"}, {"version", library_version()}, {"scenario", Json::object()}};
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    if (std::find(axes.begin(), axes.end(), s) == axes.end())
      document["scenario"][study.settings[s]] = setting_value(study.rows.front().settings[s]);
  document["bounds"] = shared_bounds(study);
  document["axes"] = Json::array();
  for (const std::size_t axis : axes) document["axes"].push_back(study.settings[axis]);
  document["best_by"] = row_fields()[grouped.best].name;
  document["best"] = Json::array();
  for (const StudyGroup& group : grouped.groups)
    document["best"].push_back(best_of(study, grouped, group));
  document["verdict"] = study_verdict(study, grouped);
  document["rows"] = Json::array();
  for (const StudyRow& row : study.rows) document["rows"].push_back(row_of(study, row, axes));
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vtopo::detail

#include <nlohmann/json.hpp>

#include <algorithm>

#include "sim/report/json_parts.hpp"
#include "sim/study/study_report.hpp"
#include "sim/report/version.hpp"

namespace vtopo::detail {

namespace {

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
  return object;
}

}  // namespace

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


#include <nlohmann/json.hpp>

#include <optional>

#include "sim/report/fields.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/report.hpp"

namespace vtopo {

namespace {

using Json = nlohmann::ordered_json;

Json link_object(const ReportedLink& link) {
  Json object = Json::object();
  object["name"] = link.name;
  object["kind"] = link.kind.empty() ? Json(nullptr) : Json(link.kind);
  object["bytes"] = link.load.traffic.value;
  if (link.background) object["background_bytes"] = link.background->value;
  object["flows"] = link.load.flows;
  object["seconds"] = link.load.congestion.value;
  return object;
}

Json number_or_null(std::optional<Seconds> time) {
  return time ? Json(time->value) : Json(nullptr);
}

/// Figures of one step, but for `static_bound` and `makespan`, which are those of all steps.
Json phase_object(const PhaseRow& phase) {
  Json object = Json::object();
  object["name"] = phase.name;
  object["repeat"] = phase.repeat;
  object["edges"] = phase.metrics.edges;
  object["total_bytes"] = phase.metrics.total_volume.value;
  object["hop_bytes"] = phase.metrics.hop_bytes.value;
  object["max_dilation"] = phase.metrics.max_dilation;
  object["max_link_load"] = phase.metrics.max_link_load.value;
  object["max_flows_per_link"] = phase.metrics.max_flows_per_link;
  object["max_congestion"] = phase.metrics.max_congestion.value;
  object["step_makespan"] =
      number_or_null(phase.simulation ? std::optional(phase.simulation->makespan) : std::nullopt);
  object["static_bound"] = phase.static_bound().value;
  object["makespan"] = number_or_null(phase.makespan());
  object["start"] = number_or_null(phase.simulation ? std::optional(phase.start) : std::nullopt);
  object["end"] = number_or_null(phase.simulation ? std::optional(phase.end) : std::nullopt);
  return object;
}

Json row_object(const Row& row) {
  Json object = Json::object();
  for (const auto& field : row_fields())
    object[std::string(field.name)] = std::visit(JsonValue{}, field.value(row));
  if (row.ideal_congestion) {
    object["ideal_congestion"] = row.ideal_congestion->value;
    object["ideal_congestion_bound"] = row.ideal_congestion_bound->value;
  }
  object["hop_histogram"] = row.metrics.hop_histogram;
  object["top_links"] = Json::array();
  for (const auto& link : row.top_links) object["top_links"].push_back(link_object(link));
  if (row.clock == "trace" || (!row.phases.empty() && !row.clock.empty()))
    object["clock"] = row.clock;
  for (const auto& phase : row.phases) object["phases"].push_back(phase_object(phase));
  return object;
}

}  // namespace

std::string render_json(const Report& report) {
  Json document = Json::object();
  document["schema"] = "vtopo/compare/v1";
  document["scenario"] = scenario_object(report.scenario);
  if (report.kept_order) document["kept_order"] = *report.kept_order;
  document["rows"] = Json::array();
  for (const auto& row : report.rows) document["rows"].push_back(row_object(row));
  // File names may hold any bytes; a report with U+FFFD in one is better than none.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vtopo

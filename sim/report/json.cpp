
#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/report/fields.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/report.hpp"
#include "sim/report/version.hpp"
#include "sim/run/sensitivity.hpp"

namespace vtopo {

using namespace detail;

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

/// The fields of all rows that are bounds.
Json bounds_object(const Report& report) {
  Json object = Json::object();
  for (const auto& field : row_fields())
    if (field.name.find("_bound") != std::string_view::npos)
      object[std::string(field.name)] = std::visit(JsonValue{}, field.value(report.rows.front()));
  return object;
}

/// Share of `from` that `to` is less, negative where it is more; null without either.
Json gain(std::optional<Seconds> from, std::optional<Seconds> to) {
  if (!from || !to || from->value == 0) return nullptr;
  return 1 - to->value / from->value;
}

std::optional<Seconds> makespan_of(const Row& row) {
  return row.simulation ? std::optional(row.simulation->makespan) : std::nullopt;
}

/// The best row against the baseline.
Json best_object(const Report& report) {
  const std::size_t best = report.verdict.best;
  const Row& row = report.rows[best];
  const Row& baseline = report.rows[report.verdict.baseline];
  const auto hop_bytes = [](const Row& of) { return Seconds{of.metrics.hop_bytes.value}; };
  Json gains = Json::object();
  gains["hop_bytes"] = gain(hop_bytes(baseline), hop_bytes(row));
  gains["max_congestion"] = gain(baseline.metrics.max_congestion, row.metrics.max_congestion);
  gains["makespan"] = gain(makespan_of(baseline), makespan_of(row));
  Json object{{"row", best},
              {"mapper", row.mapper},
              {"by", report.verdict.by},
              {"baseline", baseline.mapper},
              {"gain", std::move(gains)}};
  if (!report.verdict.ties.empty()) object["ties"] = report.verdict.ties;
  return object;
}

Json sensitivity_object(const Sensitivity& sensitivity) {
  Json variations = Json::array();
  for (const VerdictVariation& variation : sensitivity.variations) {
    Json ranks = Json::array();
    for (const auto& [source, destination] : variation.ranks)
      ranks.push_back({number(source), number(destination)});
    variations.push_back({{"what", variation.what},
                          {"change", variation.change},
                          {"seconds", variation.times},
                          {"rival_wins", variation.rival_wins()},
                          {"link", variation.link.empty() ? Json(nullptr) : Json(variation.link)},
                          {"ranks", std::move(ranks)}});
  }
  return {{"share", sensitivity.share},        {"best", sensitivity.best},
          {"rival", sensitivity.rival},        {"seconds", sensitivity.times},
          {"sentence", describe(sensitivity)}, {"variations", std::move(variations)}};
}

}  // namespace

std::string render_json(const Report& report, std::string_view evidence) {
  Json document = Json::object();
  document["schema"] = "vtopo/compare/v1";
  document["version"] = library_version();
  document["scenario"] = scenario_object(report.scenario);
  document["bounds"] = bounds_object(report);
  if (report.verdict.kept_order) document["kept_order"] = *report.verdict.kept_order;
  document["rows"] = Json::array();
  for (const auto& row : report.rows) document["rows"].push_back(row_object(row));
  document["best"] = best_object(report);
  document["noise"] = report.noise;
  document["verdict"] = verdict(report);
  document["assumptions"] = report.assumptions;
  for (const auto& [launcher, command] : report.launch)
    document["launch"].push_back({{"launcher", launcher}, {"command", command}});
  if (report.sensitivity) document["sensitivity"] = sensitivity_object(*report.sensitivity);
  // File names may hold any bytes; a report with U+FFFD in one is better than none.
  std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace);
  if (!evidence.empty()) {
    text.resize(text.size() - 2);  // the end of the object
    text += ",\n  \"evidence\": " + std::string(evidence) + "\n}";
  }
  return text + '\n';
}

}  // namespace vtopo

#include <nlohmann/json.hpp>

#include "cli/mpirun/mpirun_report.hpp"
#include "sim/report/version.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<Bytes>& bytes) {
  return bytes ? Json(bytes->value) : Json(nullptr);
}

Json json_of(const TrafficCost& cost) {
  const Metrics& metrics = cost.metrics;
  return {{"messages", cost.messages},
          {"pairs", metrics.edges},
          {"total_bytes", metrics.total_volume.value},
          {"intra_host_bytes", metrics.intra_host_volume.value},
          {"max_dilation", metrics.max_dilation},
          {"mean_dilation", metrics.mean_dilation},
          {"mean_hops_per_byte", metrics.mean_hops_per_byte},
          {"hop_bytes", metrics.hop_bytes.value},
          {"max_link_load", metrics.max_link_load.value},
          {"mean_link_load", metrics.mean_link_load.value},
          {"max_flows_per_link", metrics.max_flows_per_link},
          {"max_congestion", metrics.max_congestion.value},
          {"jsum", metrics.jsum},
          {"jmax", metrics.jmax}};
}

Json json_of(const ConstructorReport& call) {
  return {{"call", call.call},
          {"ranks", call.ranks},
          {"mapper", call.mapper.empty() ? Json(nullptr) : Json(call.mapper)},
          {"hop_bytes_before", number_or_null(call.hop_bytes_before)},
          {"hop_bytes_after", number_or_null(call.hop_bytes_after)}};
}

Json json_of(const TopologyReport& topology) {
  return {{"topology", topology.topology},
          {"ranks", topology.ranks},
          {"neighbourhood_calls", topology.calls},
          {"mean_seconds", topology.mean.value},
          {"max_seconds", topology.most.value}};
}

Json json_of(const MpirunRow& row, bool timing) {
  Json constructors = Json::array(), topologies = Json::array();
  for (const auto& call : row.run.constructors) constructors.push_back(json_of(call));
  for (const auto& topology : row.run.topologies) topologies.push_back(json_of(topology));
  return {{"reorder", row.reorder},
          {"makespan", row.run.simulated.value},
          {"simulated_seconds", row.run.simulated.value},  // its name in version 0.1
          {"wall_seconds", timing ? Json(row.wall.value) : Json(nullptr)},
          {"constructors", constructors},
          {"topologies", topologies},
          {"traffic",
           {{"all", json_of(row.all)},
            {"point_to_point", json_of(row.point_to_point)},
            {"collective", json_of(row.collective)}}}};
}

/// Of two rows the one as launched, unless reorder saves time; null without rows.
Json best_of(const MpirunReport& report) {
  if (report.rows.empty()) return nullptr;
  const std::size_t best = report.rows.size() > 1 && saved_share(report).value_or(0) <= 0 ? 1 : 0;
  const MpirunRow& row = report.rows[best];
  return {{"row", best}, {"reorder", row.reorder}, {"makespan", row.run.simulated.value}};
}

}  // namespace

std::string render_mpirun_json(const MpirunReport& report) {
  Json scenario = Json::object();
  for (const auto& [option, value] : report.scenario) {
    Json& entry = scenario[option];
    if (entry.is_null())
      entry = value;
    else if (entry.is_array())
      entry.push_back(value);
    else
      entry = Json::array({entry, value});
  }
  Json rows = Json::array();
  for (const MpirunRow& row : report.rows) rows.push_back(json_of(row, report.timing));
  const auto saved = saved_share(report);
  const Json document{
      {"schema", "vtopo/mpirun/v1"},
      {"version", library_version()},
      {"scenario", scenario},
      {"program", report.program},
      {"ranks", report.ranks},
      {"hosts", report.hosts},
      {"exit_code", report.exit_code},
      {"rows", rows},
      {"best", best_of(report)},
      {"verdict", report.rows.size() > 1 ? Json(saved_in_words(report)) : Json(nullptr)},
      {"saved_share", saved ? Json(*saved) : Json(nullptr)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vtopo::detail

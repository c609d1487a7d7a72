#include <nlohmann/json.hpp>

#include "sim/report/json_parts.hpp"
#include "sim/report/version.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/research/bench/statistics.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json instance_object(const Instance& instance) {
  Json object = {{"name", instance.name},
                 {"description", instance.description},
                 {"guest", instance.guest},
                 {"volumes", instance.volumes},
                 {"network", instance.network},
                 {"routing", to_string(instance.routing)},
                 {"slots", instance.slots},
                 {"hosts_of_job", instance.hosts},
                 {"measure", field_name(*instance.measure)},
                 {"sets", instance.sets},
                 {"quick", instance.quick},
                 {"best_known", nullptr}};
  if (instance.best)
    object["best_known"] = {{"measure", field_name(*instance.best->measure)},
                            {"value", instance.best->value},
                            {"proven", instance.best->proven},
                            {"source", instance.best->source}};
  return object;
}

Json table_object(const BenchTable& table) {
  Json object = instance_object(table.instance);
  object["ranks"] = table.ranks;
  object["hosts"] = table.hosts;
  object["edges"] = table.edges;
  object["judged_by"] = judged_by(table);
  object["best"] = table.best_source.empty() ? Json(nullptr) : Json(table.best);
  object["bound"] = or_null(table.bound);
  return object;
}

Json league_object(const LeagueRow& row, bool timing) {
  return {{"mapper", row.mapper},
          {"solved", row.solved},
          {"failed", row.failed},
          {"not_applicable", row.not_applicable},
          {"best", row.best},
          {"mean_ratio", or_null(row.mean_ratio)},
          {"worst_ratio", or_null(row.worst_ratio)},
          {"cpu_seconds", timing ? Json(row.cpu_time.value) : Json(nullptr)}};
}

Json pair_object(const MapperPair& pair) {
  return {{"first", pair.first},
          {"second", pair.second},
          {"instances", pair.instances},
          {"first_better", pair.first_better},
          {"second_better", pair.second_better},
          {"mean_ratio", or_null(pair.mean_ratio)},
          {"pairs", pair.test.pairs},
          {"rank_sum_up", pair.test.rank_sum_up},
          {"rank_sum_down", pair.test.rank_sum_down},
          {"p_value", pair.test.p_value},
          {"exact", pair.test.exact},
          {"adjusted_p", pair.adjusted_p},
          {"rank_biserial", or_null(pair.test.rank_biserial())}};
}

Json profile_object(const PerformanceProfile& profile) {
  return {{"mapper", profile.mapper}, {"problems", profile.problems}, {"ratios", profile.ratios}};
}

Json curve_object(const QualityCurve& curve, const BenchBudgets& budgets) {
  Json object = {{"mapper", curve.mapper},
                 {"instances", curve.instances},
                 {"seeds", curve.seeds},
                 {"points", Json::array()}};
  for (const CurvePoint& point : curve.points)
    object["points"].push_back({{std::string(budgets.unit()), point.budget},
                                {"mean_ratio", point.mean},
                                {"least_ratio", point.least},
                                {"most_ratio", point.most}});
  return object;
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string render_bench_json(const BenchReport& report) {
  Json document = {
      {"schema", "vtopo/bench/v1"}, {"version", library_version()}, {"options", Json::object()}};
  for (const auto& [option, value] : report.options) document["options"][option] = value;
  document["instances"] = Json::array();
  document["rows"] = Json::array();
  for (const BenchTable& table : report.tables) {
    document["instances"].push_back(table_object(table));
    for (const auto* rows : {&table.rows, &table.with_less})
      for (const BenchRow& row : *rows) {
        Json object = Json::object();
        for (const BenchField& field : bench_fields())
          object[std::string(field.name)] =
              std::visit(JsonValue{}, told_value(field, report, table, row));
        if (row.budget) object[std::string(report.budgets.unit())] = *row.budget;
        document["rows"].push_back(object);
      }
  }
  document["league"] = Json::array();
  for (const LeagueRow& row : report.league)
    document["league"].push_back(league_object(row, report.timing));
  document["profiles"] = Json::array();
  for (const PerformanceProfile& profile : performance_profiles(report.tables, report.league))
    document["profiles"].push_back(profile_object(profile));
  if (!report.budgets.values.empty()) document["curves"] = Json::array();
  for (const QualityCurve& curve : quality_curves(report.tables, report.league))
    document["curves"].push_back(curve_object(curve, report.budgets));
  document["pairs"] = Json::array();
  for (const MapperPair& pair : compare_mappers(report.tables, report.league, report.against))
    document["pairs"].push_back(pair_object(pair));
  return text_of(document);
}

std::string list_instances_json(std::span<const Instance> instances) {
  Json document = {{"schema", "vtopo/bench-instances/v1"}, {"instances", Json::array()}};
  for (const Instance& instance : instances)
    document["instances"].push_back(instance_object(instance));
  return text_of(document);
}

}  // namespace vtopo::detail

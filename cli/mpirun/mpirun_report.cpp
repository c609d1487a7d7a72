#include "cli/mpirun/mpirun_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/change.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/version.hpp"
#include "sim/run/decide.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

TrafficCost cost_of(const CommGraph& traffic, const SmpiJob& job) {
  TrafficCost cost;
  traffic.for_each_edge([&](Rank, const CommEdge& edge) { cost.messages += edge.messages; });
  cost.metrics = evaluate(traffic, *job.machine.network, job.placement.embedding);
  return cost;
}

using Cell = std::string (*)(const TrafficCost&);

/// Rows of the table of traffic.
constexpr std::pair<const char*, Cell> quantities[] = {
    {"messages", [](const TrafficCost& c) { return fmt::format("{}", c.messages); }},
    {"pairs", [](const TrafficCost& c) { return fmt::format("{}", c.metrics.edges); }},
    {"volume", [](const TrafficCost& c) { return format_bytes(c.metrics.total_volume); }},
    {"inside hosts",
     [](const TrafficCost& c) { return format_bytes(c.metrics.intra_host_volume); }},
    {"hop-bytes", [](const TrafficCost& c) { return format_bytes(c.metrics.hop_bytes); }},
    {"hops per byte",
     [](const TrafficCost& c) { return fmt::format("{:.2f}", c.metrics.mean_hops_per_byte); }},
    {"most hops", [](const TrafficCost& c) { return fmt::format("{}", c.metrics.max_dilation); }},
    {"most on a link", [](const TrafficCost& c) { return format_bytes(c.metrics.max_link_load); }},
    {"busiest link", [](const TrafficCost& c) { return format_seconds(c.metrics.max_congestion); }},
    {"edges between hosts", [](const TrafficCost& c) { return fmt::format("{}", c.metrics.jsum); }},
};

const char* name_of(bool reorder, const std::vector<ConstructorReport>& constructors) {
  if (!reorder) return "as launched";
  return constructors.empty() ? "without a topology" : "reordered";
}

std::vector<TextColumn> traffic_columns(const MpirunReport& report) {
  std::vector<TextColumn> columns{{"", "traffic", {}, Align::left}};
  for (const auto& [name, cell] : quantities) columns.front().cells.emplace_back(name);
  for (const MpirunRow& row : report.rows) {
    const std::pair<const char*, const TrafficCost*> kinds[] = {
        {"all", &row.all},
        {"point-to-point", &row.point_to_point},
        {"collective", &row.collective}};
    for (const auto& [heading, cost] : kinds) {
      TextColumn column{name_of(row), heading, {}};
      for (const auto& [name, cell] : quantities) column.cells.push_back(cell(*cost));
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

std::string constructor_line(const ConstructorReport& call) {
  std::string text = fmt::format(
      "  {} of {}: {}", call.call, counted(call.ranks, "rank"),
      call.moved() ? "reordered by " + call.mapper : "order kept: " + call.kept_because);
  if (!call.hop_bytes_before || !call.hop_bytes_after) return text + '\n';
  const double before = call.hop_bytes_before->value, after = call.hop_bytes_after->value;
  if (!call.moved()) return text + fmt::format("; hop-bytes {}\n", before);
  text += fmt::format(", hop-bytes {} -> {}", before, after);
  if (before > 0) text += fmt::format(" ({})", signed_text(change(before, after)));
  text += ", time of an iteration " + signed_text(change(1, 1 - call.predicted_gain));
  constexpr double shown = 0.0005;
  if (!call.worst_collective.empty() && call.worst_change > shown)
    text += fmt::format(
        ", of an MPI_{}{} of 1 KiB {}", static_cast<char>(std::toupper(call.worst_collective[0])),
        call.worst_collective.substr(1), signed_text(change(1, 1 + call.worst_change)));
  return text + '\n';
}

std::string constructors_text(const std::vector<ConstructorReport>& constructors) {
  if (constructors.empty()) return {};
  std::string text =
      " constructors (hop-bytes: 1 byte per edge, or its weight; iteration: an exchange with the "
      "neighbours and an MPI_Allreduce of 8 bytes)\n";
  for (const ConstructorReport& call : constructors) text += constructor_line(call);
  return text;
}

std::string topology_line(const TopologyReport& topology) {
  return fmt::format("  {} of {}: {}, {} on average, {} at most\n", topology.topology,
                     counted(topology.ranks, "rank"), counted(topology.calls, "call"),
                     format_seconds(topology.mean), format_seconds(topology.most));
}

std::string run_text(const MpirunReport& report, const MpirunRow& row) {
  std::string text =
      fmt::format("\n{}: simulated time {}", name_of(row), format_seconds(row.run.simulated));
  if (report.timing) text += fmt::format(", {} on the wall", format_seconds(row.wall));
  text += '\n' + constructors_text(row.constructors);
  bool first = true;
  for (const TopologyReport& topology : row.run.topologies) {
    if (topology.calls == 0) continue;
    if (first) text += " time of a rank in neighbourhood collectives\n";
    first = false;
    text += topology_line(topology);
  }
  return text;
}

constexpr std::string_view legend =
    "pairs: of ranks, a sender and a receiver; volume (total_bytes); hop-bytes (hop_bytes): bytes "
    "times the links that they cross; most on a link (max_link_load): bytes; busiest link "
    "(max_congestion): time that it needs for its bytes; edges between hosts (jsum): pairs on two "
    "hosts";

/// What the constructors of one run did.
std::string constructors_in_words(const MpirunRow& row) {
  if (!row.reorder) return "ranks kept their order: --no-reorder";
  if (row.constructors.empty()) return "no topology was made: nothing to reorder";
  const auto moved = std::count_if(row.constructors.begin(), row.constructors.end(),
                                   [](const ConstructorReport& call) { return call.moved(); });
  if (moved == 0) return "ranks kept their order";
  return fmt::format("ranks were moved by {} of {}; --compare shows what the program gains", moved,
                     counted(static_cast<int>(row.constructors.size()), "constructor"));
}

}  // namespace

const char* name_of(const MpirunRow& row) {
  return name_of(row.reorder, row.constructors);
}

MpirunRow make_row(SmpiRun run, bool reorder, const SmpiJob& job) {
  MpirunRow row;
  row.reorder = reorder;
  row.constructors = std::move(run.constructors);
  row.run = std::move(*run.finished);
  row.all = cost_of(row.run.traffic.all, job);
  row.point_to_point = cost_of(row.run.traffic.point_to_point, job);
  row.collective = cost_of(row.run.traffic.collective, job);
  row.wall = run.wall;
  return row;
}

std::optional<double> saved_share(const MpirunReport& report) {
  if (report.rows.size() < 2) return std::nullopt;
  const double reordered = report.rows[0].run.simulated.value;
  const double launched = report.rows[1].run.simulated.value;
  if (launched <= 0) return std::nullopt;
  const double share = 1 - reordered / launched;
  return std::abs(share) <= tie_share ? 0 : share;
}

std::string verdict_of(const MpirunReport& report) {
  if (report.unfinished) return report.unfinished->sentence;
  if (report.rows.size() == 1) return constructors_in_words(report.rows.front());
  const auto share = saved_share(report);
  if (!share) return "no time passed: there is nothing to compare";
  const std::string total = format_seconds(report.rows[1].run.simulated);
  const char* what = report.charges_computation ? "simulated time" : "simulated communication";
  const double percent = 100 * std::abs(*share);
  if (*share == 0) return fmt::format("reorder changed nothing of {} {}", total, what);
  return fmt::format("reorder {} {} of {} {}", *share > 0 ? "saved" : "cost", amount_text(percent),
                     total, what);
}

std::string render_mpirun_table(const MpirunReport& report, const TextStyle& style) {
  constexpr std::size_t column = 12;
  const auto line = [&](std::string_view key, const std::string& value) {
    return key_line(key, column, value, style.width);
  };
  std::string text =
      line("program", join(report.program, " ")) + line("network", report.network) +
      line("ranks", fmt::format("{} on {}", report.ranks, counted(report.hosts, "host")));
  for (const MpirunRow& row : report.rows) text += folded(run_text(report, row), style.width, 4);
  if (!report.rows.empty())
    text +=
        '\n' + text_table(traffic_columns(report), {style}) + folded(legend, style.width) + '\n';
  if (const auto& run = report.unfinished)  // the sentence on its end follows
    return text + folded(fmt::format("\n{}: did not end well\n{}",
                                     name_of(run->reorder, run->constructors),
                                     constructors_text(run->constructors)),
                         style.width, 4);
  return text + '\n' + folded(verdict_of(report), style.width) + '\n';
}

std::string rank_times_csv(const FinishedRun& run) {
  std::string text = "rank,finish_seconds\n";
  for (std::size_t r = 0; r < run.rank_seconds.size(); ++r)
    text += fmt::format("{},{}\n", r, run.rank_seconds[r].value);
  return text;
}

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
          {"kept_because", call.moved() ? Json(nullptr) : Json(call.kept_because)},
          {"predicted_gain", call.predicted_gain},
          {"worst_collective",
           call.worst_collective.empty()
               ? Json(nullptr)
               : Json{{"operation", call.worst_collective}, {"change", call.worst_change}}},
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

Json json_of(const std::vector<ConstructorReport>& constructors) {
  Json calls = Json::array();
  for (const auto& call : constructors) calls.push_back(json_of(call));
  return calls;
}

Json json_of(const UnfinishedRun& run) {
  return {{"reorder", run.reorder},
          {"sentence", run.sentence},
          {"constructors", json_of(run.constructors)}};
}

Json json_of(const MpirunRow& row, bool timing) {
  Json topologies = Json::array();
  for (const auto& topology : row.run.topologies) topologies.push_back(json_of(topology));
  return {{"reorder", row.reorder},
          {"makespan", row.run.simulated.value},
          {"simulated_seconds", row.run.simulated.value},  // its name in version 0.1
          {"wall_seconds", timing ? Json(row.wall.value) : Json(nullptr)},
          {"constructors", json_of(row.constructors)},
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
  Json rows = Json::array();
  for (const MpirunRow& row : report.rows) rows.push_back(json_of(row, report.timing));
  const auto saved = saved_share(report);
  const Json document{
      {"schema", "vtopo/mpirun/v1"},
      {"version", library_version()},
      {"scenario", scenario_object(report.scenario)},
      {"program", report.program},
      {"ranks", report.ranks},
      {"hosts", report.hosts},
      {"exit_code", report.exit_code},
      {"rows", rows},
      {"best", best_of(report)},
      {"unfinished", report.unfinished ? json_of(*report.unfinished) : Json(nullptr)},
      {"verdict", verdict_of(report)},
      {"saved_share", saved ? Json(*saved) : Json(nullptr)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vtopo::detail

#include "sim/report/trace_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/report/csv_cells.hpp"
#include "sim/report/json_parts.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/version.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using TraceJson = nlohmann::ordered_json;

/// Seconds of all ranks in sum.
struct TimeSums {
  double computing = 0, transferring = 0, waiting = 0, idle = 0;
};

TimeSums sums_of(const TraceRow& row) {
  TimeSums sums;
  for (const RankTimes& times : row.times.ranks) {
    sums.computing += times.computing.value;
    sums.transferring += times.transferring.value;
    sums.waiting += times.waiting.value - times.transferring.value;
    sums.idle += row.times.makespan.value - times.finish.value;
  }
  return sums;
}

bool knows_transfers(const TraceRow& row) {
  return row.solver != "simgrid";
}

std::string share(double part, const TraceRow& row) {
  const double whole = row.times.makespan.value * row.times.ranks.size();
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string_view kind_text(PathStep::Kind kind) {
  return kind == PathStep::Kind::local     ? "local work"
         : kind == PathStep::Kind::message ? "message"
                                           : "barrier";
}

double length(const TraceStep& step) {
  return step.step.end.value - step.step.begin.value;
}

/// Links by the seconds of the critical path in which a message was on them.
std::vector<std::pair<std::string, double>> path_links(const TraceRow& row) {
  std::map<std::string, double> seconds;
  for (const TraceStep& step : row.critical_path)
    for (const std::string& link : step.links) seconds[link] += length(step);
  std::vector<std::pair<std::string, double>> links(seconds.begin(), seconds.end());
  std::stable_sort(links.begin(), links.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return links;
}

std::string operation_text(const TraceStep& step) {
  if (step.position.empty()) return "end";
  return fmt::format("{}: {}", step.position, step.call);
}

std::string path_text(const TraceRow& row, int num_steps, const TextStyle& style) {
  std::vector<const TraceStep*> longest;
  double local = 0, messages = 0;
  for (const TraceStep& step : row.critical_path) {
    (step.step.kind == PathStep::Kind::local ? local : messages) += length(step);
    longest.push_back(&step);
  }
  std::stable_sort(longest.begin(), longest.end(),
                   [](const TraceStep* a, const TraceStep* b) { return length(*a) > length(*b); });
  if (std::ssize(longest) > num_steps) longest.resize(index(num_steps));
  std::sort(longest.begin(), longest.end());  // in the order of time
  TextColumn times{"", "at", {}}, lengths{"", "takes", {}}, ranks{"", "rank", {}};
  TextColumn kinds{"", "in", {}, Align::left}, operations{"", "before, for", {}, Align::left};
  for (const TraceStep* step : longest) {
    times.cells.push_back(format_seconds(step->step.begin));
    lengths.cells.push_back(format_seconds({length(*step)}));
    ranks.cells.push_back(std::to_string(number(step->step.rank)));
    kinds.cells.emplace_back(kind_text(step->step.kind));
    operations.cells.push_back(operation_text(*step));
  }
  std::string text = folded(fmt::format("\ncritical path: {}, {} of local work, {} of messages\n",
                                        counted(row.critical_path.size(), "step"),
                                        format_seconds({local}), format_seconds({messages})),
                            style.width);
  const TextColumn columns[] = {times, lengths, ranks, kinds, operations};
  text += text_table(columns, {style});
  const auto links = path_links(row);
  constexpr std::size_t max_links = 5;
  for (std::size_t i = 0; i < std::min(links.size(), max_links); ++i)
    text += folded(
        fmt::format("{} of it on link {}\n", format_seconds({links[i].second}), links[i].first),
        style.width);
  return text;
}

TraceJson step_object(const TraceStep& step) {
  TraceJson object = TraceJson::object();
  object["kind"] = step.step.kind == PathStep::Kind::local ? "local" : kind_text(step.step.kind);
  object["rank"] = number(step.step.rank);
  object["begin_seconds"] = step.step.begin.value;
  object["end_seconds"] = step.step.end.value;
  object["position"] = step.position.empty() ? TraceJson(nullptr) : TraceJson(step.position);
  object["operation"] = step.call.empty() ? TraceJson(nullptr) : TraceJson(step.call);
  object["links"] = step.links;
  return object;
}

TraceJson trace_row_object(const TraceReport& report, const TraceRow& row) {
  const TimeSums sums = sums_of(row);
  TraceJson object = TraceJson::object();
  object["mapper"] = row.mapper;
  object["seed"] = report.seed;
  object["ranks"] = report.ranks;
  object["hosts"] = report.hosts;
  object["messages"] = report.messages;
  object["makespan"] = row.times.makespan.value;
  object["computing_seconds"] = sums.computing;
  object["messages_seconds"] =
      knows_transfers(row) ? TraceJson(sums.transferring) : TraceJson(nullptr);
  object["waiting_seconds"] = knows_transfers(row) ? TraceJson(sums.waiting) : TraceJson(nullptr);
  object["solver"] = row.solver;
  if (!row.critical_path.empty()) {
    object["critical_path"] = TraceJson::array();
    for (const TraceStep& step : row.critical_path)
      object["critical_path"].push_back(step_object(step));
  }
  return object;
}

}  // namespace

std::string render_trace_table(const TraceReport& report, int num_steps, const TextStyle& style) {
  std::string text = key_line("trace", key_width, report.trace, style.width) +
                     key_line("network", key_width, report.network, style.width);
  TextColumn mappers{"", "mapper", {}, Align::left}, makespans{"", "simulated time", {}};
  TextColumn computing{"of all ranks' time", "computing", {}};
  TextColumn messages{"of all ranks' time", "in messages", {}};
  TextColumn waiting{"of all ranks' time", "waiting", {}};
  TextColumn ended{"of all ranks' time", "ended", {}};
  for (const TraceRow& row : report.rows) {
    const TimeSums sums = sums_of(row);
    mappers.cells.push_back(row.mapper);
    makespans.cells.push_back(format_seconds(row.times.makespan));
    computing.cells.push_back(share(sums.computing, row));
    messages.cells.push_back(knows_transfers(row) ? share(sums.transferring, row) : "-");
    waiting.cells.push_back(knows_transfers(row) ? share(sums.waiting, row) : "-");
    ended.cells.push_back(share(sums.idle, row));
  }
  text += '\n';
  const TextColumn columns[] = {mappers, makespans, computing, messages, waiting, ended};
  text += text_table(columns, {style});
  for (const TraceRow& row : report.rows)
    if (!row.critical_path.empty()) text += path_text(row, num_steps, style);
  return text + fmt::format("\nsimulated by {}\n", solver_text(report.rows.front().solver));
}

std::string render_trace_csv(const TraceReport& report) {
  std::string text =
      "mapper,seed,ranks,hosts,messages,makespan,computing_seconds,messages_seconds,"
      "waiting_seconds,solver\n";
  for (const TraceRow& row : report.rows) {
    const TimeSums sums = sums_of(row);
    const std::string apart =
        knows_transfers(row) ? fmt::format("{},{}", sums.transferring, sums.waiting) : ",";
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_text(row.mapper), report.seed,
                        report.ranks, report.hosts, report.messages, row.times.makespan.value,
                        sums.computing, apart, row.solver);
  }
  return text;
}

std::string render_trace_json(const TraceReport& report) {
  TraceJson object = TraceJson::object();
  object["schema"] = "vtopo/trace/v1";
  object["version"] = library_version();
  object["scenario"] = scenario_object(report.scenario);
  object["rows"] = TraceJson::array();
  for (const TraceRow& row : report.rows) object["rows"].push_back(trace_row_object(report, row));
  return object.dump(2) + '\n';
}

std::string trace_rank_times_csv(const TraceRow& row) {
  std::string text = "rank,finish_seconds,computing_seconds,messages_seconds,waiting_seconds\n";
  for (int r = 0; r < row.times.ranks.size(); ++r) {
    const RankTimes& times = row.times.ranks[Rank{r}];
    text += fmt::format("{},{},{},", r, times.finish.value, times.computing.value);
    if (knows_transfers(row))
      text += fmt::format("{},{}\n", times.transferring.value,
                          std::max(times.waiting.value - times.transferring.value, 0.0));
    else
      text += ",\n";
  }
  return text;
}

}  // namespace vtopo::detail

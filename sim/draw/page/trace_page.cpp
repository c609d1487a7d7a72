#include "sim/draw/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/draw/charts.hpp"
#include "sim/draw/markup.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::size_t most_lanes = 64, most_spans = 30000, most_steps = 20;

/// Seconds that all ranks spend in something, and their share of all the time there is.
struct PartOfTime {
  std::string_view name;
  double seconds;
};

std::vector<PartOfTime> parts_of_time(const TraceRow& row) {
  double computing = 0, transferring = 0, waiting = 0, ended = 0;
  for (const RankTimes& times : row.times.ranks) {
    computing += times.computing.value;
    transferring += times.transferring.value;
    waiting += times.waiting.value - times.transferring.value;
    ended += row.times.makespan.value - times.finish.value;
  }
  std::vector<PartOfTime> shares{{"local work", computing}};
  if (row.solver == "simgrid")
    shares.push_back({"messages and waiting", waiting});
  else
    shares.insert(shares.end(), {{"messages", transferring}, {"waiting for others", waiting}});
  shares.push_back({"ended", ended});
  return shares;
}

std::string percent_of(const TraceRow& row, double seconds) {
  const double whole = row.times.makespan.value * row.times.ranks.size();
  return whole > 0 ? fmt::format("{:.1f} %", 100 * seconds / whole) : "0 %";
}

std::string trace_header(const TraceReport& report, const std::string& title) {
  const TraceRow& row = report.rows.front();
  std::string text =
      fmt::format("<header>\n<h1>{}</h1>\n<p class=\"verdict\">{}: makespan {}</p>\n",
                  markup_text(title), markup_text(row.mapper), format_seconds(row.times.makespan));
  text += "<p class=\"quiet\">Where the time of all ranks goes:</p>\n<ul class=\"tiles\">\n";
  for (const PartOfTime& share : parts_of_time(row))
    text +=
        fmt::format("<li>{}<b>{}</b><span class=\"quiet\">{} of a rank in the mean</span></li>\n",
                    share.name, percent_of(row, share.seconds),
                    format_seconds(Seconds{share.seconds / row.times.ranks.size()}));
  return text + "</ul>\n<dl class=\"facts\">\n" + page_fact("trace", report.trace) +
         page_fact("network", report.network) + page_fact("mapper", row.mapper) +
         page_fact("clock", "simulated by " +
                                std::string(row.solver == "fast" ? "vtopo's engine" : "SimGrid")) +
         "</dl>\n</header>\n";
}

std::string step_line(const TraceStep& step) {
  const bool is_message = step.step.kind == PathStep::Kind::message;
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      format_seconds(step.step.begin), format_seconds(step.step.end - step.step.begin),
      number(step.step.rank),
      is_message                                ? "message"
      : step.step.kind == PathStep::Kind::local ? "local work"
                                                : "barrier",
      markup_text(step.position.empty() ? "end" : step.position + ": " + step.call));
}

std::string path_section(const TraceRow& row) {
  if (row.critical_path.empty()) return "";
  std::vector<const TraceStep*> longest;
  for (const TraceStep& step : row.critical_path) longest.push_back(&step);
  const auto length = [](const TraceStep* step) {
    return step->step.end.value - step->step.begin.value;
  };
  std::stable_sort(longest.begin(), longest.end(),
                   [&](const TraceStep* a, const TraceStep* b) { return length(a) > length(b); });
  longest.resize(std::min(longest.size(), most_steps));
  std::sort(longest.begin(), longest.end());  // in the order of time
  std::string text = fmt::format(
      "<h2>Critical path</h2>\n<p class=\"note\">What decided the makespan: {} one after the "
      "other; the {} longest.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Critical path\"><table><thead><tr>",
      counted(row.critical_path.size(), "step"), longest.size());
  for (const std::string_view heading : {"at", "takes", "rank", "in", "before, for"})
    text += fmt::format("<th scope=\"col\"><span>{}</span></th>", heading);
  text += "</tr></thead><tbody>\n";
  for (const TraceStep* step : longest) text += step_line(*step);
  return text + "</tbody></table></div>\n";
}

/// What the script of pages reads of a report: as many rows and ranks as it needs.
PageJson report_data(const TraceReport& report) {
  PageJson data = PageJson::parse(render_trace_json(report));
  for (PageJson& row : data["rows"]) row.erase("critical_path");
  return data;
}

}  // namespace

DrawnTimeline drawn_timeline(const TraceRow& row, std::size_t max_lanes, std::size_t max_spans) {
  RankTimeline timeline(row.times.ranks.size(), max_lanes);
  for (const RankSpan& span : row.timeline) timeline.add(span);
  return timeline.drawn(row.times.makespan, max_spans);
}

std::string render_trace_page(const TraceReport& report) {
  const TraceRow& row = report.rows.front();
  const std::string title = title_words(report.trace) + " on " + title_words(report.network);
  const DrawnTimeline drawn = drawn_timeline(row, most_lanes, most_spans);
  std::vector<double> finish;
  for (const RankTimes& times : row.times.ranks) finish.push_back(times.finish.value);
  std::string data;
  std::string text =
      page_head(title) + trace_header(report, title) +
      "<main class=\"wide\">\n<h2>Pictures</h2>\n<p class=\"note hint\">Point at them, or "
      "move through them by the arrow keys. Double-click or press + to zoom, then drag.</p>\n";
  if (!drawn.spans.empty())
    text += page_figure(draw_ranks(drawn, row.times.makespan, true), "timeline", data);
  text += page_figure(draw_bars(rank_bars(finish, row.times.makespan.value)), "finish", data);
  text += path_section(row) + "</main>\n";
  return text + page_end(script_json(report_data(report).dump(-1, ' ', false,
                                                              PageJson::error_handler_t::replace)),
                         R"~({"rows":{},"cables":[]})~", "{" + data + "}");
}

}  // namespace vtopo::detail

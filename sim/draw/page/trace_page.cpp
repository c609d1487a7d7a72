#include "sim/draw/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/draw/markup.hpp"
#include "sim/draw/page/page_parts.hpp"
#include "sim/report/trace_report.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using PageJson = nlohmann::ordered_json;

constexpr std::size_t most_lanes = 64, most_spans = 30000, most_bars = 256, most_steps = 20;

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

/// The finish of ranks, the latest of each bar where there are many.
PageJson finish_data(const TraceRow& row) {
  const auto ranks = static_cast<std::size_t>(row.times.ranks.size());
  const std::size_t per_bar = (ranks + most_bars - 1) / most_bars;
  PageJson data = {{"axis", "rank"},
                   {"unit", "seconds"},
                   {"per_bar", per_bar},
                   {"most", row.times.makespan.value},
                   {"names", PageJson::array()},
                   {"values", PageJson::array()}};
  for (std::size_t first = 0; first < ranks; first += per_bar) {
    const std::size_t end = std::min(first + per_bar, ranks);
    double latest = 0;
    for (std::size_t r = first; r < end; ++r)
      latest = std::max(latest, row.times.ranks[id_at<Rank>(r)].finish.value);
    data["names"].push_back(per_bar == 1 ? fmt::format("rank {}", first)
                                         : fmt::format("ranks {} to {}", first, end - 1));
    data["values"].push_back(latest);
  }
  return data;
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
  const auto first_words = [](const std::string& text, std::string_view end) {
    return text.substr(0, std::min(text.find(end), text.find(": ")));
  };
  const std::string title =
      first_words(report.trace, ": ") + " on " + first_words(report.network, " at ");
  const DrawnTimeline drawn = drawn_timeline(row, most_lanes, most_spans);
  PageJson pictures = PageJson::object();
  std::string text =
      page_head(title) + trace_header(report, title) +
      "<main class=\"wide\">\n<h2>Pictures</h2>\n<p class=\"note hint\">Point at them, or "
      "move through them by the arrow keys. Drag, double-click or press + to zoom."
      "</p>\n<noscript><p>The pictures need the scripts of this page, which loads "
      "nothing; <code>--rank-times FILE.csv</code> writes the times of ranks."
      "</p></noscript>\n";
  if (!drawn.spans.empty()) {
    text += page_figure("timeline", "Timeline of ranks", timeline_caption(drawn));
    pictures["timeline"] = {{"kind", "ranks"},
                            {"data", PageJson::parse(timeline_data(drawn, row.times.makespan))}};
  }
  text += page_figure("finish", "Finish of ranks", "");
  pictures["finish"] = {{"kind", "bars"}, {"data", finish_data(row)}};
  text += path_section(row) + "</main>\n";
  const PageJson network = {{"rows", PageJson::object()}, {"cables", PageJson::array()}};
  const auto script = [&](std::string_view id, const PageJson& json) {
    text += fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                        script_json(json.dump(-1, ' ', false, PageJson::error_handler_t::replace)));
  };
  script("report", report_data(report));
  script("network", network);
  script("pictures", pictures);
  return text + "<script>\n" + page_script() + "</script>\n</body>\n</html>\n";
}

}  // namespace vtopo::detail

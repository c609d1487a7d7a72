#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/run/ranking.hpp"
#include "sim/report/change.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/draw/markup.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// What a cell shows and the number that it is sorted by; nothing where there is no value.
struct PageCell {
  std::string text = "\xE2\x80\x93";
  std::optional<double> value;
};

struct PageColumn {
  std::string heading;
  std::function<PageCell(const Row&)> cell;
};

PageCell number_cell(double value) {
  return {fmt::format("{}", value), value};
}

PageCell bytes_cell(Bytes value) {
  return {format_bytes(value), value.value};
}

PageCell seconds_cell(std::optional<Seconds> value) {
  if (!value) return {};
  return {format_seconds(*value), value->value};
}

PageCell change_cell(double reference, double value) {
  return {signed_text(change(reference, value)), reference > 0 ? value / reference : value};
}

std::optional<Seconds> makespan(const Row& row) {
  if (!row.simulation) return std::nullopt;
  return row.simulation->makespan;
}

std::vector<PageColumn> columns_of(const Report& report) {
  const Row& base = report.rows[report.verdict.baseline];
  const std::string against = "vs " + row_name(report, report.verdict.baseline);
  std::vector<PageColumn> columns{
      {"max_dilation", [](const Row& row) { return number_cell(row.metrics.max_dilation); }},
      {"mean_dilation",
       [](const Row& row) {
         return PageCell{fmt::format("{:.2f}", row.metrics.mean_dilation),
                         row.metrics.mean_dilation};
       }},
      {"hop_bytes", [](const Row& row) { return bytes_cell(row.metrics.hop_bytes); }},
      {"hop_bytes vs bound",
       [](const Row& row) {
         return change_cell(row.bounds.hop_bytes.value, row.metrics.hop_bytes.value);
       }},
      {"max_link_load", [](const Row& row) { return bytes_cell(row.metrics.max_link_load); }},
      {"max_flows_per_link",
       [](const Row& row) { return number_cell(row.metrics.max_flows_per_link); }},
      {"max_congestion", [](const Row& row) { return seconds_cell(row.metrics.max_congestion); }},
      {"makespan", [](const Row& row) { return seconds_cell(makespan(row)); }},
      {"mapping_seconds",
       [](const Row& row) { return seconds_cell(row.timing ? row.mapping_time : std::nullopt); }}};
  if (report.rows.size() < 2) return columns;
  columns.insert(columns.begin() + 3, {"hop_bytes " + against, [&base](const Row& row) {
                                         return change_cell(base.metrics.hop_bytes.value,
                                                            row.metrics.hop_bytes.value);
                                       }});
  columns.insert(columns.end() - 2, {"max_congestion " + against, [&base](const Row& row) {
                                       return change_cell(base.metrics.max_congestion.value,
                                                          row.metrics.max_congestion.value);
                                     }});
  return columns;
}

/// Names of metrics may break after each `_`.
std::string breakable(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '_' ? std::string("_<wbr>") : std::string(1, c);
  return result;
}

std::string heading(std::string_view words, std::string_view kind) {
  return fmt::format(
      R"~(<th scope="col" aria-sort="none" data-kind="{}"><button type="button">{}</button></th>)~",
      kind, breakable(markup_text(words)));
}

std::string row_text(const Report& report, std::size_t r, const std::vector<PageColumn>& columns) {
  const bool several = report.rows.size() > 1;
  const Verdict& verdict = report.verdict;
  const bool best = several && r == verdict.best;
  const bool tie = std::find(verdict.ties.begin(), verdict.ties.end(), r) != verdict.ties.end();
  const std::string name = markup_text(row_name(report, r));
  std::string text =
      fmt::format(R"~(<tr{}><th scope="row" data-v="{}">{}{}{}</th>)~",
                  best ? R"~( class="best")~" : "", name, name,
                  best  ? R"~(<span class="tag">best</span>)~"
                  : tie ? R"~(<span class="tag">tie</span>)~"
                        : "",
                  several && r == verdict.baseline ? R"~(<span class="tag">baseline</span>)~" : "");
  for (const PageColumn& column : columns) {
    const PageCell cell = column.cell(report.rows[r]);
    text += fmt::format(R"~(<td data-v="{}">{}</td>)~",
                        cell.value ? fmt::format("{}", *cell.value) : "", markup_text(cell.text));
  }
  return text + "</tr>\n";
}

}  // namespace

std::string page_table(const Report& report) {
  const std::vector<PageColumn> columns = columns_of(report);
  std::string text =
      R"~(<div class="scroll" tabindex="0" role="region" aria-label="Mappers"><table class="sortable">)~"
      "\n<thead><tr>" +
      heading("mapper", "text");
  for (const PageColumn& column : columns) text += heading(column.heading, "number");
  text += "</tr></thead>\n<tbody>\n";
  for (const std::size_t r : sorted_rows(report)) text += row_text(report, r, columns);
  return text +
         "</tbody></table></div>\n<p class=\"note\">max_congestion: bytes / bandwidth of the "
         "busiest "
         "link; makespan: simulated time. The best row is first.</p>\n";
}

std::string page_links(const std::vector<ReportedLink>& links) {
  if (links.empty()) return "";
  const bool others = links.front().background.has_value();
  std::string text =
      R"~(<div class="scroll" tabindex="0" role="region" aria-label="Most loaded links"><table>)~"
      R"~(<thead><tr><th scope="col"><span>most loaded links</span></th>)~"
      R"~(<th scope="col"><span>bytes</span></th>)~";
  if (others) text += R"~(<th scope="col"><span>of other jobs</span></th>)~";
  text += R"~(<th scope="col"><span>flows</span></th><th scope="col"><span>time</span></th></tr>)~"
          "</thead><tbody>\n";
  for (const ReportedLink& link : links)
    text += fmt::format(
        "<tr><th scope=\"row\">{}{}</th><td>{}</td>{}<td>{}</td><td>{}</td></tr>\n",
        markup_text(link.name),
        link.kind.empty() ? ""
                          : fmt::format(R"~(<span class="tag">{}</span>)~", markup_text(link.kind)),
        format_bytes(link.load.traffic),
        others ? fmt::format("<td>{}</td>", format_bytes(link.background.value_or(Bytes{0}))) : "",
        link.load.flows, format_seconds(link.load.congestion));
  return text + "</tbody></table></div>\n";
}

}  // namespace vtopo::detail

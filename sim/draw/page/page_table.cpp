#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/report/change.hpp"
#include "sim/run/ranking.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {
namespace {

/// What a cell shows and the number that it is sorted by; nothing where there is no value.
struct PageCell {
  std::string text = "\xE2\x80\x93";
  std::optional<double> value;
};

struct PageColumn {
  std::string heading;  ///< human-readable
  std::string key;      ///< of the JSON report; of a comparison none
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
      {"hop-bytes", "hop_bytes", [](const Row& row) { return bytes_cell(row.metrics.hop_bytes); }},
      {"vs bound", "",
       [](const Row& row) {
         return change_cell(row.bounds.hop_bytes.value, row.metrics.hop_bytes.value);
       }},
      {"busiest link", "max_congestion",
       [](const Row& row) { return seconds_cell(row.metrics.max_congestion); }},
      {"simulated", "makespan", [](const Row& row) { return seconds_cell(makespan(row)); }},
      {"max hops", "max_dilation",
       [](const Row& row) { return number_cell(row.metrics.max_dilation); }},
      {"mean hops", "mean_dilation",
       [](const Row& row) {
         return PageCell{fmt::format("{:.2f}", row.metrics.mean_dilation),
                         row.metrics.mean_dilation};
       }},
      {"max load", "max_link_load",
       [](const Row& row) { return bytes_cell(row.metrics.max_link_load); }},
      {"flows", "max_flows_per_link",
       [](const Row& row) { return number_cell(row.metrics.max_flows_per_link); }},
      {"mapping", "mapping_seconds",
       [](const Row& row) { return seconds_cell(row.timing ? row.mapping_time : std::nullopt); }}};
  if (std::none_of(report.rows.begin(), report.rows.end(),
                   [](const Row& row) { return row.timing && row.mapping_time; }))
    columns.pop_back();
  if (report.rows.size() < 2) return columns;
  columns.insert(columns.begin() + 3, {against, "", [&base](const Row& row) {
                                         return change_cell(base.metrics.max_congestion.value,
                                                            row.metrics.max_congestion.value);
                                       }});
  columns.insert(columns.begin() + 1, {against, "", [&base](const Row& row) {
                                         return change_cell(base.metrics.hop_bytes.value,
                                                            row.metrics.hop_bytes.value);
                                       }});
  return columns;
}

std::string heading(std::string_view words, std::string_view kind, std::string_view key = "") {
  return fmt::format(
      R"~(<th scope="col" aria-sort="none" data-kind="{}" data-key="{}"><button type="button">{}</button></th>)~",
      kind, key, markup_text(words));
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

constexpr std::size_t max_page_phases = 24;

/// Time of all steps: by the clock, else the static bound.
Seconds time_of(const PhaseRow& phase) {
  return phase.makespan().value_or(phase.static_bound());
}

/// Phases of programs overlap.
Seconds total_of(const Row& row) {
  if (row.simulation) return row.simulation->makespan;
  Seconds total{0};
  for (const PhaseRow& phase : row.phases) total += time_of(phase);
  return total;
}

/// The phases that take longest in any row, in order.
std::vector<std::size_t> shown_phases(const Report& report) {
  std::vector<double> longest(report.rows.front().phases.size());
  std::vector<std::size_t> phases;
  for (std::size_t p = 0; p < longest.size(); ++p) {
    for (const Row& row : report.rows)
      longest[p] = std::max(longest[p], time_of(row.phases[p]).value);
    phases.push_back(p);
  }
  if (phases.size() <= max_page_phases) return phases;
  std::stable_sort(phases.begin(), phases.end(),
                   [&](std::size_t a, std::size_t b) { return longest[a] > longest[b]; });
  phases.resize(max_page_phases);
  std::sort(phases.begin(), phases.end());
  return phases;
}

/// A time, and what share of the row's total it is.
std::string time_cell(Seconds time, Seconds total) {
  const std::string share =
      total.value > 0
          ? fmt::format(R"~(<span class="share">{:.0f} %</span>)~", 100 * time.value / total.value)
          : "";
  return fmt::format("<td>{}{}</td>", format_seconds(time), share);
}

std::string head_cells(const Report& report) {
  std::string text;
  for (std::string_view heading : {"phase", "steps", "bytes of a step"})
    text += fmt::format(R"~(<th scope="col"><span>{}</span></th>)~", heading);
  for (std::size_t r = 0; r < report.rows.size(); ++r)
    text +=
        fmt::format(R"~(<th scope="col"><span>{}</span></th>)~", markup_text(row_name(report, r)));
  return text;
}

std::string phase_line(const Report& report, std::size_t p) {
  const PhaseRow& phase = report.rows.front().phases[p];
  std::string text =
      fmt::format(R"~(<tr><th scope="row">{}</th><td>{}</td><td>{}</td>)~", markup_text(phase.name),
                  phase.repeat, format_bytes(phase.metrics.total_volume));
  for (const Row& row : report.rows) text += time_cell(time_of(row.phases[p]), total_of(row));
  return text + "</tr>\n";
}

/// What the phases that are not shown take together; nothing if all are shown.
std::string rest_line(const Report& report, const std::vector<std::size_t>& shown) {
  const std::size_t hidden = report.rows.front().phases.size() - shown.size();
  if (hidden == 0) return "";
  std::string text =
      fmt::format(R"~(<tr><th scope="row">{} shorter phases</th><td></td><td></td>)~", hidden);
  for (const Row& row : report.rows) {
    Seconds rest{0};  // not what is left of the total: phases of programs overlap
    for (std::size_t p = 0; p < row.phases.size(); ++p)
      if (!std::binary_search(shown.begin(), shown.end(), p)) rest += time_of(row.phases[p]);
    text += time_cell(rest, total_of(row));
  }
  return text + "</tr>\n";
}

std::string total_line(const Report& report) {
  std::string text = R"~(<tr class="total"><th scope="row">total</th><td></td><td></td>)~";
  for (const Row& row : report.rows)
    text +=
        fmt::format(R"~(<td>{}<span class="share"></span></td>)~", format_seconds(total_of(row)));
  return text + "</tr>\n";
}

std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=+:,./%@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + '\'';
}

}  // namespace

std::string page_table(const Report& report) {
  const std::vector<PageColumn> columns = columns_of(report);
  std::string text =
      R"~(<div class="scroll" tabindex="0" role="region" aria-label="Mappers"><table class="sortable">)~"
      "\n<thead><tr>" +
      heading("mapper", "text");
  for (const PageColumn& column : columns) text += heading(column.heading, "number", column.key);
  text += "</tr></thead>\n<tbody>\n";
  for (const std::size_t r : sorted_rows(report)) text += row_text(report, r, columns);
  return text +
         "</tbody></table></div>\n<p class=\"note\">The best row is first. Busiest link: bytes / "
         "bandwidth of the link that takes longest (max_congestion); simulated: the time "
         "(makespan); max "
         "and mean hops of an edge: max_dilation, mean_dilation; max load and flows: of any one "
         "link (max_link_load, max_flows_per_link).</p>\n";
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

std::string page_phases(const Report& report) {
  if (report.rows.empty() || report.rows.front().phases.empty()) return "";
  const std::vector<std::size_t> shown = shown_phases(report);
  std::string text =
      "<h2>Phases</h2>\n"
      R"~(<div class="scroll" tabindex="0" role="region" aria-label="Phases"><table><thead><tr>)~" +
      head_cells(report) + "</tr></thead>\n<tbody>\n";
  for (const std::size_t p : shown) text += phase_line(report, p);
  text += rest_line(report, shown) + total_line(report) + "</tbody></table></div>\n";
  const bool simulated = report.rows.front().phases.front().simulation.has_value();
  const bool overlap = steps_overlap(report.rows.front());
  return text + fmt::format(
                    "<p class=\"note\">Time of all steps of a phase, {}, and its share of the "
                    "total; {}.</p>\n",
                    simulated ? "simulated" : "by the static bound",
                    overlap ? "on each rank a phase starts when the one before is over there, so "
                              "that phases overlap"
                            : "a phase starts when the one before has ended");
}

std::string command_line(const Report& report) {
  std::string text = report.rows.size() == 1 ? "vtopo evaluate" : "vtopo compare";
  for (const auto& [option, value] : report.scenario) {
    text += " --" + option;
    if (value != "true") text += ' ' + quoted(value);
  }
  return text;
}

}  // namespace vtopo::detail

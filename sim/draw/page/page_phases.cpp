#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/run/ranking.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/draw/markup.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

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

}  // namespace

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

}  // namespace vtopo::detail

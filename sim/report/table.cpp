#include <fmt/format.h>

#include <algorithm>

#include "sim/run/ranking.hpp"
#include "sim/run/sensitivity.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

bool share_bounds(const Report& report) {
  const Bounds& bounds = report.rows.front().bounds;
  return std::all_of(report.rows.begin(), report.rows.end(), [&](const Row& row) {
    return row.bounds.hop_bytes == bounds.hop_bytes && row.bounds.congestion == bounds.congestion;
  });
}

/// How much a better mapper than the best one could gain at most.
std::string best_gap_text(const Report& report) {
  const std::size_t best = report.verdict.best;
  return fmt::format("* {}: {}", row_name(report, best), bounds_text(report.rows[best]));
}

TextColumn scaled_column(const ColumnScale& scale, const std::vector<double>& values) {
  TextColumn column{"", scale.unit(), {}};
  for (const double value : values) column.cells.push_back(scale.cell(value));
  return column;
}

/// Kinds of links beside their names; no column where all links are of one kind.
void append_kinds(const std::vector<ReportedLink>& links, std::vector<TextColumn>& columns) {
  TextColumn kinds{"", "kind", {}, Align::left};
  for (const auto& link : links) kinds.cells.push_back(link.kind);
  if (!links.front().kind.empty()) columns.push_back(std::move(kinds));
}

/// What other jobs put on the links, if there are any.
void append_background(const std::vector<ReportedLink>& links, std::vector<TextColumn>& columns) {
  if (!links.front().background) return;
  std::vector<double> volumes;
  volumes.reserve(links.size());
  for (const auto& link : links) volumes.push_back(link.background->value);
  columns.push_back(scaled_column(byte_scale(volumes), volumes));
  columns.back().heading = "others', " + columns.back().heading;
}

/// `links` are not empty.
std::string links_text(const std::vector<ReportedLink>& links) {
  TextColumn names{"", "link", {}, Align::left}, flows{"", "flows", {}};
  std::vector<double> volumes, times;
  for (const auto& link : links) {
    names.cells.push_back(link.name);
    volumes.push_back(link.load.traffic.value);
    flows.cells.push_back(fmt::format("{}", link.load.flows));
    times.push_back(link.load.congestion.value);
  }
  std::vector<TextColumn> columns{names};
  append_kinds(links, columns);
  columns.push_back(scaled_column(byte_scale(volumes), volumes));
  append_background(links, columns);
  columns.push_back(flows);
  columns.push_back(scaled_column(time_scale(times), times));
  std::string text;
  for (const auto& line : lay_out(columns)) text += "  " + line + '\n';
  return text;
}

}  // namespace

std::string detail::head_text(const Report& report) {
  std::string text;
  if (!report.guest.empty()) text += fmt::format("guest    {}\n", report.guest);
  if (!report.network.empty()) text += fmt::format("network  {}\n", report.network);
  if (!report.background.empty())
    text += fmt::format(
        "beside   {}\n         counted for links and the bound of congestion, not for hops; "
        "simulated: when the job is through, static bound: when all jobs are\n",
        report.background);
  const Routing routing = report.rows.front().routing;
  text += fmt::format("routing  {}{}\n", to_string(routing),
                      depends_on_traffic(routing)
                          ? ", for the whole traffic of each row; mappers see the shortest routes"
                          : "");
  if (report.rows.size() > 1 && share_bounds(report)) {
    const Bounds& bounds = report.rows.front().bounds;
    text += fmt::format("bounds   any embedding: hop-bytes >= {}, busiest link >= {}\n",
                        format_bytes(bounds.hop_bytes), format_seconds(bounds.congestion));
  }
  return text + '\n';
}

std::string render_table(const Report& report, bool colour) {
  const Ink ink{colour};
  std::string text = head_text(report);
  text += report.rows.size() == 1 ? details_text(report) : comparison_text(report, ink);
  if (report.rows.size() > 1) text += ink.bold(best_gap_text(report)) + '\n';
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (const auto& links = report.rows[row].top_links; !links.empty())
      text +=
          fmt::format("\nmost loaded links of {}\n{}", row_name(report, row), links_text(links));
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (const Row& shown = report.rows[row]; !shown.phases.empty())
      text += fmt::format("\nphases of {}\n{}", row_name(report, row), phases_text(shown));
  if (const std::string ideal = ideal_text(report); !ideal.empty()) text += '\n' + ideal;
  text += '\n' + ink.dim(simulation_text(report)) + '\n';
  text += ink.bold(verdict(report)) + '\n';
  if (report.sensitivity) text += ink.bold(describe(*report.sensitivity)) + '\n';
  for (const auto& [launcher, command] : report.launch)
    text += fmt::format("{}: {}\n", launcher, command);
  return text;
}

}  // namespace vtopo

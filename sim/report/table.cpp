#include <fmt/format.h>

#include <algorithm>

#include "sim/report/column_scale.hpp"
#include "sim/report/ranking.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/units_text.hpp"

namespace vtopo {

namespace {

bool share_bounds(const Report& report) {
  const Bounds& bounds = report.rows.front().bounds;
  return std::all_of(report.rows.begin(), report.rows.end(), [&](const Row& row) {
    return row.bounds.hop_bytes == bounds.hop_bytes && row.bounds.congestion == bounds.congestion;
  });
}

std::string head(const Report& report) {
  std::string text;
  if (!report.guest.empty()) text += fmt::format("guest    {}\n", report.guest);
  if (!report.network.empty()) text += fmt::format("network  {}\n", report.network);
  if (report.rows.size() > 1 && share_bounds(report)) {
    const Bounds& bounds = report.rows.front().bounds;
    text += fmt::format("bounds   any embedding: hop-bytes >= {}, busiest link >= {}\n",
                        format_bytes(bounds.hop_bytes), format_seconds(bounds.congestion));
  }
  return text.empty() ? text : text + '\n';
}

std::string links_text(const Report& report, std::size_t row) {
  const std::vector<ReportedLink>& links = report.rows[row].top_links;
  std::vector<double> volumes;
  std::vector<double> times;
  for (const auto& link : links) {
    volumes.push_back(link.load.traffic.value);
    times.push_back(link.load.congestion.value);
  }
  const ColumnScale volume = byte_scale(volumes);
  const ColumnScale time = time_scale(times);
  std::vector<TextColumn> columns{{"", "link", {}, Align::left},
                                  {"", volume.unit(), {}},
                                  {"", "flows", {}},
                                  {"", time.unit(), {}}};
  for (const auto& [name, load] : links) {
    columns[0].cells.push_back(name);
    columns[1].cells.push_back(volume.cell(load.traffic.value));
    columns[2].cells.push_back(fmt::format("{}", load.flows));
    columns[3].cells.push_back(time.cell(load.congestion.value));
  }
  std::string text = fmt::format("\nmost loaded links of {}\n", row_name(report, row));
  for (const auto& line : lay_out(columns)) text += "  " + line + '\n';
  return text;
}

}  // namespace

std::string render_table(const Report& report, bool colour) {
  const Ink ink{colour};
  std::string text = head(report);
  text += report.rows.size() == 1 ? details_text(report.rows.front(), report.makespan_name)
                                  : comparison_text(report, ink);
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (!report.rows[row].top_links.empty()) text += links_text(report, row);
  text += '\n' + ink.dim(simulation_text(report)) + '\n';
  return text + ink.bold(verdict(report)) + '\n';
}

}  // namespace vtopo

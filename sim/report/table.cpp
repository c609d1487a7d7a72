#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/sensitivity.hpp"
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

constexpr std::string_view best_mark = " *";

constexpr std::string_view bound_legend = "vs bound: excess over the lower bound of any embedding";
constexpr std::string_view time_legend =
    "max_congestion: bytes / bandwidth of the busiest link, the static time; makespan: simulated "
    "time";

template <class Get>
std::vector<double> values_of(const Report& report, Get get) {
  std::vector<double> values;
  for (const auto& row : report.rows) values.push_back(get(row));
  return values;
}

template <class Cell>
TextColumn column(const Report& report, std::string group, std::string heading, Cell cell) {
  TextColumn result{std::move(group), std::move(heading), {}};
  for (const std::size_t row : sorted_rows(report)) result.cells.push_back(cell(report.rows[row]));
  return result;
}

double hop_bytes(const Row& row) {
  return row.metrics.hop_bytes.value;
}
double link_load(const Row& row) {
  return row.metrics.max_link_load.value;
}
double congestion(const Row& row) {
  return row.metrics.max_congestion.value;
}

std::optional<double> simulated_makespan(const Row& row) {
  if (!row.simulation) return std::nullopt;
  return row.simulation->makespan.value;
}

/// Change of a quantity against the baseline; `-` for the baseline itself.
template <class Get>
TextColumn relative_column(const Report& report, const std::string& group, Get get) {
  const Row& baseline = report.rows[report.verdict.baseline];
  const std::string heading = "vs " + (is_baseline(baseline) ? baseline.mapper : "first");
  return column(report, group, heading, [&](const Row& row) {
    return &row == &baseline ? "-" : signed_text(change(get(baseline), get(row)));
  });
}

TextColumn name_column(const Report& report) {
  TextColumn names{"", "mapper", {}, Align::left};
  for (const std::size_t row : sorted_rows(report)) names.cells.push_back(row_name(report, row));
  names.cells.front() += best_mark;
  return names;
}

void append_hop_columns(const Report& report, std::vector<TextColumn>& columns) {
  columns.push_back(column(report, "max_dilation", "hops", [](const Row& row) {
    return fmt::format("{}", row.metrics.max_dilation);
  }));
  columns.push_back(column(report, "mean_dilation", "hops", [](const Row& row) {
    return fmt::format("{:.2f}", row.metrics.mean_dilation);
  }));
}

void append_hop_bytes_columns(const Report& report, std::vector<TextColumn>& columns) {
  const ColumnScale scale = byte_scale(values_of(report, hop_bytes));
  columns.push_back(column(report, "hop_bytes", scale.unit(),
                           [&](const Row& row) { return scale.cell(hop_bytes(row)); }));
  columns.push_back(relative_column(report, "hop_bytes", hop_bytes));
  columns.push_back(column(report, "hop_bytes", "vs bound", [](const Row& row) {
    return signed_text(change(row.bounds.hop_bytes.value, hop_bytes(row)));
  }));
}

void append_link_columns(const Report& report, std::vector<TextColumn>& columns) {
  const ColumnScale scale = byte_scale(values_of(report, link_load));
  columns.push_back(column(report, "max_link_load", scale.unit(),
                           [&](const Row& row) { return scale.cell(link_load(row)); }));
  columns.push_back(column(report, "max_flows_per_link", "flows", [](const Row& row) {
    return fmt::format("{}", row.metrics.max_flows_per_link);
  }));
}

/// Both in one unit, side by side.
void append_time_columns(const Report& report, std::vector<TextColumn>& columns) {
  std::vector<double> times = values_of(report, congestion);
  const std::size_t count = times.size();
  for (const auto& row : report.rows)
    if (simulated_makespan(row)) times.push_back(*simulated_makespan(row));
  const ColumnScale scale = time_scale(times);
  columns.push_back(column(report, "max_congestion", scale.unit(),
                           [&](const Row& row) { return scale.cell(congestion(row)); }));
  columns.push_back(relative_column(report, "max_congestion", congestion));
  if (times.size() > count)
    columns.push_back(column(report, "makespan", scale.unit(),
                             [&](const Row& row) { return scale.cell(simulated_makespan(row)); }));
}

/// The row with its messages as a phase, where it has none.
Row with_phases(Row row) {
  if (row.phases.empty()) row.phases.push_back({"all at once", 1, row.metrics, row.simulation});
  return row;
}

std::string total_text(const Report& report, const Row& row) {
  const Seconds bound = row.metrics.max_congestion;
  std::string text = fmt::format("total    max_congestion {}", format_seconds(bound));
  if (row.simulation)
    text += fmt::format(", makespan {}{}", format_seconds(row.simulation->makespan),
                        report.makespan_name == "makespan" ? "" : ", " + report.makespan_name);
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
  for (const std::string& assumption : report.assumptions) text += "assumes: " + assumption + '\n';
  if (report.sensitivity) text += ink.bold(describe(*report.sensitivity)) + '\n';
  for (const auto& [launcher, command] : report.launch)
    text += fmt::format("{}: {}\n", launcher, command);
  return text;
}

std::string detail::comparison_text(const Report& report, const Ink& ink) {
  std::vector<TextColumn> columns{name_column(report)};
  append_hop_columns(report, columns);
  append_hop_bytes_columns(report, columns);
  append_link_columns(report, columns);
  append_time_columns(report, columns);
  const std::vector<std::string> lines = lay_out(columns);
  const std::size_t first_row = lines.size() - report.rows.size();
  std::string text;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const bool best = line == first_row;
    text += (best ? ink.bold(lines[line]) : lines[line]) + '\n';
  }
  return text + ink.dim(bound_legend) + '\n' + ink.dim(time_legend) + '\n';
}

std::string render_times(const Report& report, bool colour) {
  const Ink ink{colour};
  const Row row = with_phases(report.rows.front());
  std::string text = head_text(report);
  text.pop_back();  // the mapper belongs to the head
  text += "mapper   " + row.mapper + "\n\n";
  text += phases_text(row) + '\n' + ink.bold(total_text(report, row)) + '\n';
  if (row.timing && row.simulation)
    text += fmt::format("simulation took {}\n", format_seconds(row.simulation->wall_seconds));
  return text + ink.dim(simulation_text(report)) + '\n';
}

}  // namespace vtopo

#include <fmt/format.h>

#include <string_view>

#include "sim/run/ranking.hpp"
#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"

namespace vtopo::detail {

namespace {

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

}  // namespace

std::string comparison_text(const Report& report, const Ink& ink) {
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

}  // namespace vtopo::detail

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/ranking.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::size_t max_bars = 24;
constexpr double longest_bar = 50;

/// `, the lower bound (cuts): optimal`, or `, 9.0 % above the lower bound of 2.6 GiB (cuts)`;
/// nothing where there is no bound above 0.
std::string gap_to_bound(double bound, double value, const std::string& amount,
                         const std::string& kind) {
  if (bound <= 0) return "";
  const std::string by = kind.empty() ? "" : fmt::format(" ({})", kind);
  if (change(bound, value).trend == Trend::same)
    return fmt::format(", the lower bound{}: optimal", by);
  return fmt::format(", {} of {}{}", gap_text(bound, value, "the lower bound"), amount, by);
}

/// Columns that the longest key takes.
constexpr std::size_t detail_key_width = 16;

std::string detail_line(std::string_view key, const std::string& value, const TextStyle& style) {
  return key_line(key, detail_key_width, value, style.width);
}

std::string placement_lines(const Row& row, const TextStyle& style) {
  const Metrics& metrics = row.metrics;
  return detail_line("mapper", row.mapper, style) +
         detail_line("hops",
                     fmt::format("at most {}, mean {:.2f} over {}{}", metrics.max_dilation,
                                 metrics.mean_dilation, counted(metrics.edges, "edge"),
                                 row.routing == Routing::valiant || depends_on_traffic(row.routing)
                                     ? ", by shortest routes"
                                     : ""),
                     style) +
         detail_line("volume",
                     fmt::format("{}, {} of it inside hosts", format_bytes(metrics.total_volume),
                                 format_bytes(metrics.intra_host_volume)),
                     style) +
         detail_line("edges out",
                     fmt::format("{} leave their host (jsum), at most {} from one host (jmax)",
                                 metrics.jsum, metrics.jmax),
                     style) +
         detail_line(
             "hop-bytes",
             format_bytes(metrics.hop_bytes) +
                 gap_to_bound(row.bounds.hop_bytes.value, metrics.hop_bytes.value,
                              format_bytes(row.bounds.hop_bytes), row.bounds.hop_bytes_kind) +
                 fmt::format("; {:.2f} hops per byte", metrics.mean_hops_per_byte),
             style);
}

std::string link_lines(const Row& row, bool beside_others, const TextStyle& style) {
  const Metrics& metrics = row.metrics;
  return detail_line(
             "busiest link",
             format_seconds(metrics.max_congestion) +
                 gap_to_bound(row.bounds.congestion.value, metrics.max_congestion.value,
                              format_seconds(row.bounds.congestion), row.bounds.congestion_kind),
             style) +
         detail_line("load of links",
                     fmt::format("at most {}{}, mean over all {}; at most {}",
                                 format_bytes(metrics.max_link_load),
                                 beside_others ? " on links of the job" : "",
                                 format_bytes(metrics.mean_link_load),
                                 counted(metrics.max_flows_per_link, "flow")),
                     style);
}

/// Alongside other jobs the static bound is that of all jobs, so no gap says anything.
std::string clock_lines(const Report& report, const TextStyle& style) {
  const Row& row = report.rows.front();
  std::string text;
  if (row.simulation) {
    const Seconds makespan = row.simulation->makespan;
    const Seconds bound = row.metrics.max_congestion;
    std::string value = format_seconds(makespan);
    if (report.background.empty() && bound.value > 0)
      value += fmt::format(", {}{}", gap_text(bound.value, makespan.value, static_bound_name(row)),
                           change(bound.value, makespan.value).trend == Trend::same
                               ? ""
                               : " of " + format_seconds(bound));
    text += detail_line("simulated time", value, style);
  }
  if (row.timing && row.mapping_time)
    text += detail_line("mapping took", format_seconds(*row.mapping_time), style);
  if (row.timing && row.simulation)
    text += detail_line("simulation took", format_seconds(row.simulation->wall_seconds), style);
  return text;
}

/// Hop counts `first` to `last` and the edges that have them.
struct Bar {
  std::size_t first;
  std::size_t last;
  std::int64_t edges;
};

std::vector<Bar> bars_of(const std::vector<std::int64_t>& hop_histogram) {
  const std::size_t width = (hop_histogram.size() + max_bars - 1) / max_bars;
  std::vector<Bar> bars;
  for (std::size_t hops = 0; hops < hop_histogram.size(); ++hops) {
    if (hops % width == 0) bars.push_back({hops, hops, 0});
    bars.back().last = hops;
    bars.back().edges += hop_histogram[hops];
  }
  return bars;
}

/// In proportion to the longest one; never empty for an edge that exists.
std::string drawn(std::int64_t edges, std::int64_t most) {
  if (edges == 0) return "";
  const double share = static_cast<double>(edges) / static_cast<double>(most);
  const long length = std::lround(share * longest_bar);
  return std::string(static_cast<std::size_t>(std::max(length, 1L)), '#');
}

constexpr std::size_t max_phases = 24;

/// Time of all steps: by the clock, else the static bound.
double time_of(const PhaseRow& phase) {
  return phase.makespan().value_or(phase.static_bound()).value;
}

/// The phases that take longest, in order.
std::vector<const PhaseRow*> shown_phases(const Row& row) {
  std::vector<const PhaseRow*> phases;
  for (const PhaseRow& phase : row.phases) phases.push_back(&phase);
  if (phases.size() <= max_phases) return phases;
  std::stable_sort(phases.begin(), phases.end(),
                   [](const PhaseRow* a, const PhaseRow* b) { return time_of(*a) > time_of(*b); });
  phases.resize(max_phases);
  std::sort(phases.begin(), phases.end());
  return phases;
}

template <class Get>
TextColumn number_column(std::string group, std::string heading, const ColumnScale& scale,
                         const std::vector<const PhaseRow*>& phases, Get get) {
  TextColumn column{std::move(group), std::move(heading), {}};
  for (const PhaseRow* phase : phases) column.cells.push_back(scale.cell(get(*phase)));
  return column;
}

double hop_bytes_of(const PhaseRow& phase) {
  return phase.metrics.hop_bytes.value;
}

template <class Get>
std::vector<double> values_of(const std::vector<const PhaseRow*>& phases, Get get) {
  std::vector<double> values;
  values.reserve(phases.size());
  for (const PhaseRow* phase : phases) values.push_back(get(*phase));
  return values;
}

void append_volumes(const std::vector<const PhaseRow*>& phases, std::vector<TextColumn>& columns) {
  const ColumnScale hops = byte_scale(values_of(phases, hop_bytes_of));
  columns.push_back(
      number_column("one step", "hop-bytes, " + hops.unit(), hops, phases, hop_bytes_of));
}

/// The static bound and the simulated time in one unit, side by side; of programs, whose phases
/// overlap, also their starts.
void append_times(const std::vector<const PhaseRow*>& phases, bool overlap,
                  std::vector<TextColumn>& columns) {
  const auto bound = [](const PhaseRow& phase) { return phase.static_bound().value; };
  std::vector<double> times = values_of(phases, bound);
  for (const PhaseRow* phase : phases) times.push_back(time_of(*phase));
  const ColumnScale scale = time_scale(times);
  const std::string group = "all steps, " + scale.unit();
  columns.push_back(number_column(group, "busiest link", scale, phases, bound));
  if (phases.front()->simulation)
    columns.push_back(number_column(group, "simulated", scale, phases, time_of));
  if (phases.front()->simulation && overlap)
    columns.push_back(number_column(group, "start", scale, phases,
                                    [](const PhaseRow& phase) { return phase.start.value; }));
}

void append_shares(const Row& row, const std::vector<const PhaseRow*>& phases,
                   std::vector<TextColumn>& columns) {
  double total = row.simulation ? row.simulation->makespan.value : 0;
  if (!row.simulation)
    for (const PhaseRow& phase : row.phases) total += time_of(phase);
  TextColumn shares{"", "share", {}};
  for (const PhaseRow* phase : phases)
    shares.cells.push_back(total > 0 ? fmt::format("{:.1f} %", 100 * time_of(*phase) / total)
                                     : "-");
  columns.push_back(std::move(shares));
}

std::string rest_text(const Row& row, const std::vector<const PhaseRow*>& phases) {
  if (phases.size() == row.phases.size()) return "";
  double rest = 0;
  for (const PhaseRow& phase : row.phases) rest += time_of(phase);
  for (const PhaseRow* phase : phases) rest -= time_of(*phase);
  return fmt::format("  and {} shorter phases: {}\n", row.phases.size() - phases.size(),
                     format_seconds({std::max(rest, 0.0)}));
}

/// Bar chart of directed edges over hops; neighbouring hop counts share a bar if there are many.
std::string histogram_text(const std::vector<std::int64_t>& hop_histogram, const TextStyle& style) {
  const std::vector<Bar> bars = bars_of(hop_histogram);
  std::int64_t most = 0;
  for (const auto& bar : bars) most = std::max(most, bar.edges);
  std::vector<TextColumn> columns{{"", "hops", {}}, {"", "edges", {}}, {"", "", {}, Align::left}};
  for (const auto& [first, last, edges] : bars) {
    columns[0].cells.push_back(first == last ? fmt::format("{}", first)
                                             : fmt::format("{}-{}", first, last));
    columns[1].cells.push_back(fmt::format("{}", edges));
    columns[2].cells.push_back(drawn(edges, most));
  }
  return text_table(columns, {style});
}

}  // namespace

std::string detail::details_text(const Report& report, const TextStyle& style) {
  const Row& row = report.rows.front();
  return placement_lines(row, style) + link_lines(row, !report.background.empty(), style) +
         clock_lines(report, style) + '\n' + histogram_text(row.metrics.hop_histogram, style);
}

std::string detail::phases_text(const Row& row, const TextStyle& style) {
  const std::vector<const PhaseRow*> phases = shown_phases(row);
  std::vector<TextColumn> columns{{"", "phase", {}, Align::left}, {"", "steps", {}}};
  for (const PhaseRow* phase : phases) {
    columns[0].cells.push_back(phase->name);
    columns[1].cells.push_back(fmt::format("{}", phase->repeat));
  }
  append_volumes(phases, columns);
  append_times(phases, steps_overlap(row), columns);
  append_shares(row, phases, columns);
  std::string text = text_table(columns, {style, 2}) + rest_text(row, phases);
  if (steps_overlap(row))
    text += folded(
        "  phases overlap: a rank starts its next step when its own messages are over, so that "
        "times of phases may add up to more than that of the whole\n",
        style.width);
  return text;
}

}  // namespace vtopo

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sim/run/ranking.hpp"
#include "sim/report/change.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_bars = 24;
constexpr double longest_bar = 50;

/// ` (9.0 % above the lower bound 2.6 GiB)`, or nothing where there is no bound above 0.
std::string gap_in_brackets(double bound, double value, std::string_view bound_name,
                            const std::string& amount) {
  return bound <= 0 ? "" : fmt::format(" ({} {})", gap_text(bound, value, bound_name), amount);
}

/// `2.6 GiB by cuts`: a bound and the argument that gave it.
std::string by_kind(const std::string& amount, const std::string& kind) {
  return kind.empty() ? amount : fmt::format("{} by {}", amount, kind);
}

std::string line(std::string_view key, const std::string& value) {
  return fmt::format("{:<18} {}\n", key, value);
}

std::string placement_lines(const Row& row) {
  const Metrics& metrics = row.metrics;
  return line("mapper", row.mapper) +
         line("dilation",
              fmt::format("max {}, mean {:.2f} hops over {}{}", metrics.max_dilation,
                          metrics.mean_dilation, counted(metrics.edges, "edge"),
                          row.routing == Routing::valiant || depends_on_traffic(row.routing)
                              ? ", by shortest routes"
                              : "")) +
         line("volume", fmt::format("{}, of it {} inside hosts", format_bytes(metrics.total_volume),
                                    format_bytes(metrics.intra_host_volume))) +
         line("edges out",
              fmt::format("{} leave their host (Jsum), at most {} from one host (Jmax)",
                          metrics.jsum, metrics.jmax)) +
         line("hop_bytes",
              format_bytes(metrics.hop_bytes) +
                  gap_in_brackets(
                      row.bounds.hop_bytes.value, metrics.hop_bytes.value, "the lower bound",
                      by_kind(format_bytes(row.bounds.hop_bytes), row.bounds.hop_bytes_kind)) +
                  fmt::format(", {:.2f} hops per byte", metrics.mean_hops_per_byte));
}

std::string link_lines(const Row& row) {
  const Metrics& metrics = row.metrics;
  return line("max_link_load",
              fmt::format("{}, mean over all links {}", format_bytes(metrics.max_link_load),
                          format_bytes(metrics.mean_link_load))) +
         line("max_flows_per_link", fmt::format("{}", metrics.max_flows_per_link)) +
         line("max_congestion",
              format_seconds(metrics.max_congestion) +
                  gap_in_brackets(
                      row.bounds.congestion.value, metrics.max_congestion.value,
                      "the lower bound over all embeddings",
                      by_kind(format_seconds(row.bounds.congestion), row.bounds.congestion_kind)));
}

/// Beside other jobs the static bound is that of all jobs, so no gap says anything.
std::string clock_lines(const Report& report) {
  const Row& row = report.rows.front();
  std::string text;
  if (row.simulation) {
    const Seconds makespan = row.simulation->makespan;
    const Seconds bound = row.metrics.max_congestion;
    std::string value = format_seconds(makespan);
    if (report.background.empty())
      value += gap_in_brackets(bound.value, makespan.value, static_bound_name(row),
                               format_seconds(bound));
    if (report.makespan_name != "makespan") value += fmt::format(", {}", report.makespan_name);
    text += line("makespan", value);
  }
  if (row.timing && row.mapping_time)
    text += line("mapping took", format_seconds(*row.mapping_time));
  if (row.timing && row.simulation)
    text += line("simulation took", format_seconds(row.simulation->wall_seconds));
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

}  // namespace

std::string details_text(const Report& report) {
  const Row& row = report.rows.front();
  return placement_lines(row) + link_lines(row) + clock_lines(report) + '\n' +
         histogram_text(row.metrics.hop_histogram);
}

std::string histogram_text(const std::vector<std::int64_t>& hop_histogram) {
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
  std::string text;
  for (const auto& text_line : lay_out(columns)) text += text_line + '\n';
  return text;
}

}  // namespace vtopo::detail

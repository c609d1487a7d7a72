#include "sim/draw/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/draw/cell_picture.hpp"
#include "sim/draw/charts.hpp"
#include "sim/draw/link_picture.hpp"
#include "sim/draw/network/layouts.hpp"
#include "sim/run/ranking.hpp"

namespace vtopo::detail {
namespace {

/// Which links a row uses; all of them where that is not known or most are.
LinkSet links_of_rows(const PictureSource& source) {
  const auto all = static_cast<std::size_t>(source.network().num_links());
  LinkSet used(all, false);
  for (const RowPictures& row : source.rows()) {
    if (row.used.empty()) return {};
    for (const auto& [link, load] : row.used) used[index(link)] = true;
  }
  const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  return 4 * count <= all ? used : LinkSet{};
}

PartLoads loads_of(const Network& network, const RowPictures& row, const LinkSet& only) {
  Metrics metrics;
  metrics.links.resize(only.size());
  for (const auto& [link, load] : row.used) metrics.links[index(link)] = load;
  std::vector<LinkLoad> loads;
  for (std::size_t l = 0; l < only.size(); ++l)
    if (only[l]) loads.push_back(metrics.links[l]);
  return {link_cells(network, metrics, only), load_quantiles(loads)};
}

std::vector<double> finish_seconds(const Row& row) {
  std::vector<double> seconds;
  if (row.simulation)
    for (const Seconds finish : row.simulation->rank_finish) seconds.push_back(finish.value);
  return seconds;
}

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

std::set<std::size_t> drawn_rows(const Report& report, std::size_t max_rows) {
  std::set<std::size_t> rows{report.verdict.baseline, report.verdict.best};
  for (const std::size_t row : sorted_rows(report))
    if (rows.size() < max_rows) rows.insert(row);
  return rows;
}

/// Draws rows on scales that hold for all that are drawn.
class RowDrawer {
 public:
  RowDrawer(const Report& report, const PictureSource& source, const std::set<std::size_t>& drawn)
      : report_(report),
        source_(source),
        rows_(drawn.begin(), drawn.end()),
        part_(used_part(source)),
        layout_(link_layout(source, rows_)),
        baseline_(report.verdict.baseline),
        links_(all_loads(), PictureUnit::seconds),
        traffic_(ValueScale::spread(all_traffic(), PictureUnit::bytes)) {
    for (const std::size_t r : rows_) {
      const Row& row = report.rows[r];
      hop_counts_ = std::max(hop_counts_, row.metrics.hop_histogram.size());
      for (const std::int64_t edges : row.metrics.hop_histogram)
        max_edges_ = std::max(max_edges_, static_cast<double>(edges));
      if (row.simulation) latest_ = std::max(latest_, row.simulation->makespan);
    }
  }

  Figure traffic_by_rank() const { return draw_cells(source_.traffic_by_rank(), traffic_); }
  std::string network() const { return network_data(layout_, source_, rows_); }

  RowFigures draw(std::size_t r) const {
    const Row& row = report_.rows[r];
    const RowPictures& pictures = source_.rows()[r];
    RowFigures result{r, {}};
    auto& figures = result.figures;
    if (layout_) {
      figures.push_back(draw_link_loads(*layout_, source_.network(), pictures, links_));
      if (!row.phases.empty()) figures.back().caption += schedule_caption;
    }
    if (!row.phases.empty() && row.phases.front().simulation)
      figures.push_back(draw_phases(row.phases, latest_));
    if (!pictures.timeline.is_empty() && row.simulation)
      figures.push_back(
          draw_ranks(pictures.timeline.drawn(row.simulation->makespan, max_spans / rows_.size()),
                     latest_, false));
    figures.push_back(draw_cells(part_.rows[r].cells, links_));
    figures.push_back(draw_cells(pictures.traffic, traffic_));
    figures.push_back(draw_bars(hop_bars(row.metrics.hop_histogram, max_edges_, hop_counts_)));
    const bool is_baseline = r == baseline_;
    figures.push_back(
        draw_load_curve(part_.rows[r].quantiles,
                        is_baseline ? std::vector<double>{} : part_.rows[baseline_].quantiles,
                        row_name(report_, baseline_), links_.most()));
    figures.back().caption = part_.caption;
    if (row.simulation && !row.simulation->rank_finish.empty())
      figures.push_back(draw_bars(rank_bars(finish_seconds(row), latest_.value)));
    return result;
  }

 private:
  static constexpr std::size_t max_spans = 16000;  // of all rows
  /// A schedule has a time for each step, a picture of links only one.
  static constexpr const char* schedule_caption =
      " Bytes, flows and times of a link are sums over all steps; the time on the busiest link of "
      "the table adds up the busiest link of each step, which may be another one each time, and "
      "its flows are the most of any one step: neither is the end of this scale.";

  /// Cells leave some links out, and the metric of a row of phases is that of no link.
  std::vector<double> all_loads() const {
    std::vector<double> values;
    for (const std::size_t r : rows_) {
      append(values, values_of(part_.rows[r].cells));
      if (!part_.rows[r].quantiles.empty()) values.push_back(part_.rows[r].quantiles.back());
    }
    return values;
  }

  std::vector<double> all_traffic() const {
    std::vector<double> values = values_of(source_.traffic_by_rank());
    for (const std::size_t r : rows_) append(values, values_of(source_.rows()[r].traffic));
    return values;
  }

  const Report& report_;
  const PictureSource& source_;
  std::vector<std::size_t> rows_;
  UsedPart part_;
  std::optional<NetworkPicture> layout_;
  std::size_t baseline_;
  ValueScale links_, traffic_;
  std::size_t hop_counts_ = 0;
  double max_edges_ = 0;
  Seconds latest_{0};
};

}  // namespace

UsedPart used_part(const PictureSource& source) {
  UsedPart part;
  const LinkSet only = links_of_rows(source);
  for (const RowPictures& row : source.rows())
    part.rows.push_back(only.empty() ? PartLoads{row.link_cells, row.load_quantiles}
                                     : loads_of(source.network(), row, only));
  if (!only.empty())
    part.caption =
        fmt::format("{} of {} links, those that carry something under one of the mappers.",
                    grouped_digits(std::count(only.begin(), only.end(), true)),
                    grouped_digits(source.network().num_links()));
  return part;
}

ReportFigures draw_report(const Report& report, const PictureSource& source, std::size_t max_rows) {
  const auto drawn = drawn_rows(report, std::max<std::size_t>(max_rows, 2));
  const RowDrawer drawer(report, source, drawn);
  ReportFigures result{drawer.traffic_by_rank(), {}, drawer.network()};
  for (const std::size_t row : drawn) result.rows.push_back(drawer.draw(row));
  return result;
}

}  // namespace vtopo::detail

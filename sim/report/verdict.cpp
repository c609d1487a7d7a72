#include <fmt/format.h>

#include <algorithm>

#include "sim/experiment/ranking.hpp"
#include "sim/report/change.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

struct NamedChange {
  std::string name;
  Change change;
};

std::vector<NamedChange> changes(const Row& from, const Row& to) {
  std::vector<NamedChange> list{
      {"hop-bytes", change(from.metrics.hop_bytes.value, to.metrics.hop_bytes.value)},
      {"the busiest link",
       change(from.metrics.max_congestion.value, to.metrics.max_congestion.value)}};
  if (from.simulation && to.simulation)
    list.push_back({"the simulated time",
                    change(from.simulation->makespan.value, to.simulation->makespan.value)});
  return list;
}

/// `a, b and c`.
std::string enumeration(std::vector<std::string> words) {
  if (words.size() < 2) return join(words, "");
  const std::string last = std::move(words.back());
  words.pop_back();
  return fmt::format("{} and {}", join(words, ", "), last);
}

/// `hop-bytes by 38 % and the busiest link by 51 %`: the changes of one trend, or nothing.
std::string listed(const std::vector<NamedChange>& list, Trend trend) {
  std::vector<std::string> words;
  for (const auto& [name, change] : list) {
    if (change.trend != trend) continue;
    if (trend == Trend::same)
      words.push_back(name);
    else if (change.percent)
      words.push_back(fmt::format("{} by {}", name, amount_text(*change.percent)));
    else
      words.push_back(name + " from 0");
  }
  return enumeration(std::move(words));
}

/// `cut ... but raise ... and leave ... unchanged`; something is always cut.
std::string effect(const Row& from, const Row& to) {
  const auto list = changes(from, to);
  const std::string raised = listed(list, Trend::raise);
  const std::string kept = listed(list, Trend::same);
  std::string text = "cut " + listed(list, Trend::cut);
  if (!raised.empty()) text += " but raise " + raised;
  if (!kept.empty()) text += " and leave " + kept + " unchanged";
  return text;
}

std::string baseline_verdict(const Report& report, std::size_t baseline) {
  const Row& row = report.rows[baseline];
  const std::string name = row_name(report, baseline);
  const std::size_t count = report.rows.size();
  if (row.metrics.hop_bytes.value == 0)
    return fmt::format("no traffic leaves a host under {}: none of these {} mappers can do better",
                       name, count);
  const std::size_t rival = fewest_hop_bytes_row(report);
  if (rival == baseline)
    return fmt::format("{} is already the best of these {} mappers by {}", name, count,
                       best_by(report));
  return fmt::format("{} already takes the least {} of these {} mappers; {} would {}", name,
                     best_by(report), count, row_name(report, rival),
                     effect(row, report.rows[rival]));
}

/// @param beside_others the static bound is of all jobs, the simulated time of one.
std::string single_verdict(const Row& row, bool beside_others) {
  const Metrics& metrics = row.metrics;
  if (metrics.hop_bytes.value == 0)
    return fmt::format("{}: no traffic leaves a host, nothing is left to improve", row.mapper);
  std::string text = row.mapper + ": " + bounds_text(row);
  if (row.simulation && !beside_others)
    text +=
        "; the simulated time " + gap_text(metrics.max_congestion.value,
                                           row.simulation->makespan.value, static_bound_name(row));
  return text;
}

std::string mappers_verdict(const Report& report) {
  if (report.rows.size() == 1)
    return single_verdict(report.rows.front(), !report.background.empty());
  const std::size_t baseline = baseline_row(report);
  const std::size_t best = best_row(report);
  if (best == baseline) return baseline_verdict(report, baseline);
  return fmt::format("{} is best by {}: it would {} against {}", row_name(report, best),
                     best_by(report), effect(report.rows[baseline], report.rows[best]),
                     row_name(report, baseline));
}

/// `420 us (certified: at least 418 us) to 537 us`: the busiest link under ideal routing and under
/// the routing of the row.
std::string interval_of(const Row& row) {
  return fmt::format("{} (certified: at least {}) to {}", format_seconds(*row.ideal_congestion),
                     format_seconds(*row.ideal_congestion_bound),
                     format_seconds(row.metrics.max_congestion));
}

/// Which of two rows has certainly less on its busiest link under ideal routing.
bool is_ideally_less(const Row& row, const Row& than) {
  return *row.ideal_congestion < *than.ideal_congestion_bound;
}

/// Rows whose order by the busiest link ideal routing turns round, by their names.
std::string swapped_rows(const Report& report) {
  std::vector<std::string> pairs;
  for (std::size_t a = 0; a < report.rows.size(); ++a)
    for (std::size_t b = 0; b < report.rows.size(); ++b) {
      const Row &less = report.rows[a], &more = report.rows[b];
      if (!less.ideal_congestion || !more.ideal_congestion) continue;
      if (less.metrics.max_congestion < more.metrics.max_congestion && is_ideally_less(more, less))
        pairs.push_back(fmt::format("{} is behind {}", row_name(report, a), row_name(report, b)));
    }
  return enumeration(std::move(pairs));
}

}  // namespace

std::string detail::ideal_text(const Report& report) {
  const bool known = std::any_of(report.rows.begin(), report.rows.end(),
                                 [](const Row& row) { return row.ideal_congestion.has_value(); });
  if (!known) return {};
  const std::string routing = to_string(report.rows.front().routing);
  std::string text = "busiest link from ideal routing to routing " + routing + ":\n";
  for (std::size_t r = 0; r < report.rows.size(); ++r)
    if (report.rows[r].ideal_congestion)
      text += fmt::format("  {}: {}\n", row_name(report, r), interval_of(report.rows[r]));
  return text;
}

std::string detail::bounds_text(const Row& row) {
  const Metrics& metrics = row.metrics;
  return fmt::format(
      "hop-bytes {}; the busiest link {}",
      gap_text(row.bounds.hop_bytes.value, metrics.hop_bytes.value, "the lower bound"),
      gap_text(row.bounds.congestion.value, metrics.max_congestion.value, "its lower bound"));
}

std::string verdict(const Report& report) {
  const Routing routing = report.rows.front().routing;
  std::string text = mappers_verdict(report);
  if (routing != Routing::simgrid)
    text = fmt::format("with routing {}, {}", to_string(routing), text);
  const std::string swapped = swapped_rows(report);
  if (!swapped.empty())
    text += fmt::format(
        "; the order of the busiest links depends on routing: with ideal routing {}", swapped);
  return text;
}

}  // namespace vtopo

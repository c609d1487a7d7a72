#include <fmt/format.h>

#include "sim/report/change.hpp"
#include "sim/report/ranking.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

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
    return fmt::format("{} is already the best of these {} mappers", name, count);
  return fmt::format("{} already takes the least time of these {} mappers; {} would {}", name,
                     count, row_name(report, rival), effect(row, report.rows[rival]));
}

/// @param beside_others the static bound is of all jobs, the simulated time of one.
std::string single_verdict(const Row& row, bool beside_others) {
  const Metrics& metrics = row.metrics;
  if (metrics.hop_bytes.value == 0)
    return fmt::format("{}: no traffic leaves a host, nothing is left to improve", row.mapper);
  std::string text = row.mapper + ": " + bounds_text(row);
  if (row.simulation && !beside_others)
    text += "; the simulated time " + gap_text(metrics.max_congestion.value,
                                               row.simulation->makespan.value, "the static bound");
  return text;
}

std::string mappers_verdict(const Report& report) {
  if (report.rows.size() == 1)
    return single_verdict(report.rows.front(), !report.background.empty());
  const std::size_t baseline = baseline_row(report);
  const std::size_t best = best_row(report);
  if (best == baseline) return baseline_verdict(report, baseline);
  return fmt::format("{} would {} against {}", row_name(report, best),
                     effect(report.rows[baseline], report.rows[best]), row_name(report, baseline));
}

}  // namespace

std::string bounds_text(const Row& row) {
  const Metrics& metrics = row.metrics;
  return fmt::format(
      "hop-bytes {}; the busiest link {}",
      gap_text(row.bounds.hop_bytes.value, metrics.hop_bytes.value, "the lower bound"),
      gap_text(row.bounds.congestion.value, metrics.max_congestion.value, "its lower bound"));
}

std::string verdict(const Report& report) {
  const Routing routing = report.rows.front().routing;
  if (routing == Routing::simgrid) return mappers_verdict(report);
  return fmt::format("with routing {}, {}", to_string(routing), mappers_verdict(report));
}

}  // namespace vtopo

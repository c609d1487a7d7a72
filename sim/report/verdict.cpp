#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/report/change.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/ranking.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

struct NamedChange {
  std::string name;
  Change change;
};

/// @param tied whether the rows tie: then the time that decides is the same, or within the noise,
/// which is said elsewhere.
std::vector<NamedChange> changes(const Row& from, const Row& to, bool tied) {
  const bool simulated = from.simulation && to.simulation;
  std::vector<NamedChange> list{
      {"hop-bytes", change(from.metrics.hop_bytes.value, to.metrics.hop_bytes.value)}};
  const auto add_time = [&](std::string name, double before, double after, bool decides) {
    if (!tied || !decides)
      list.push_back({std::move(name), change(before, after)});
    else if (is_tie(before, after, 0))
      list.push_back({std::move(name), Change{Trend::same, 0.0}});
  };
  add_time("the busiest link", from.metrics.max_congestion.value, to.metrics.max_congestion.value,
           !simulated);
  if (simulated)
    add_time("the simulated time", from.simulation->makespan.value, to.simulation->makespan.value,
             true);
  return list;
}

/// `a, b and c`.
std::string enumeration(std::vector<std::string> words) {
  if (words.size() < 2) return join(words, "");
  const std::string last = std::move(words.back());
  words.pop_back();
  return fmt::format("{} and {}", join(words, ", "), last);
}

/// Whether the time of a row is that of the best one.
bool ties_in_time(const Verdict& verdict, std::size_t row) {
  const bool by_time = verdict.by == "simulated time" || verdict.by == "static time";
  return by_time && std::find(verdict.ties.begin(), verdict.ties.end(), row) != verdict.ties.end();
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

/// `cut ... but raise ... and leave ... unchanged`: what the row of the second number changes
/// against that of the first.
std::string effect(const Report& report, std::size_t from, std::size_t to) {
  const Verdict& verdict = report.verdict;
  const std::size_t other = from == verdict.best ? to : from;
  const bool tied = (from == verdict.best || to == verdict.best) && ties_in_time(verdict, other);
  const auto list = changes(report.rows[from], report.rows[to], tied);
  const std::string cut = listed(list, Trend::cut), raised = listed(list, Trend::raise);
  const std::string kept = listed(list, Trend::same);
  std::string text;
  if (!cut.empty()) text = "cut " + cut;
  if (!raised.empty()) text += (text.empty() ? "raise " : " but raise ") + raised;
  if (!kept.empty()) text += fmt::format("{}leave {} unchanged", text.empty() ? "" : " and ", kept);
  return text;
}

/// `, no difference above noise (4 %)` where rows that tie differ by more than rounding.
std::string noise_text(const Report& report) {
  const std::vector<double> times = row_times(report);
  const auto& ties = report.verdict.ties;
  const bool by_noise = std::any_of(ties.begin(), ties.end(), [&](std::size_t row) {
    return ties_in_time(report.verdict, row) && !is_tie(times[row], times[report.verdict.best], 0);
  });
  return by_noise ? fmt::format(", no difference above noise ({})", share_text(report.noise)) : "";
}

/// `greedy and block tie by simulated time`: the best row first; of many only their number.
std::string tie_text(const Report& report) {
  constexpr std::size_t most_named = 4;
  const Verdict& verdict = report.verdict;
  std::vector<std::string> names{row_name(report, verdict.best)};
  for (const std::size_t row : verdict.ties) names.push_back(row_name(report, row));
  if (names.size() > most_named)
    names = {names.front(), fmt::format("{} other mappers", verdict.ties.size())};
  return fmt::format("{} tie by {}{}", enumeration(std::move(names)), verdict.by,
                     noise_text(report));
}

/// Routes may be without links, as in SimGrid's Vivaldi zones: then no byte hops, though it
/// travels.
bool leaves_hosts(const Metrics& metrics) {
  return metrics.hop_bytes.value > 0 || metrics.intra_host_volume < metrics.total_volume;
}

std::string baseline_verdict(const Report& report) {
  const Verdict& verdict = report.verdict;
  const std::string name = row_name(report, verdict.best);
  const std::size_t count = report.rows.size(), tied = verdict.ties.size();
  const bool no_traffic = !leaves_hosts(report.rows[verdict.best].metrics);
  if (no_traffic && tied > 0)
    return fmt::format("{}: no traffic leaves a host under {}", tie_text(report), name);
  if (no_traffic)
    return fmt::format("no traffic leaves a host under {}: none of these {} mappers can do better",
                       name, count);
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t rival = fewest_hop_bytes(report, all, verdict.best);
  if (rival == verdict.best && tied == 0)
    return fmt::format("{} is already the best of these {} mappers by {}", name, count, verdict.by);
  std::string text = tied > 0 ? tie_text(report) : name + " already takes the least " + verdict.by;
  if (tied > 0 && tied + 1 < count) text += ", the least";
  if (tied + 1 < count) text += fmt::format(" of these {} mappers", count);
  if (rival == verdict.best) return text;
  return fmt::format("{}; {} would {}", text, row_name(report, rival),
                     effect(report, verdict.best, rival));
}

/// On the order given, the first row, and what would replace it, the last one.
std::string order_verdict(const Report& report) {
  const Verdict& verdict = report.verdict;
  const std::size_t last = report.rows.size() - 1;
  const std::string given = row_name(report, 0), other = row_name(report, last);
  const std::string would = "would " + effect(report, 0, last);
  const std::string because = verdict.because.empty() ? "" : ", as " + verdict.because;
  if (!verdict.ties.empty())
    return fmt::format("{}: {}{}; {} {}", tie_text(report),
                       *verdict.kept_order ? fmt::format("the order given, {}, is kept", given)
                                           : other + " is written",
                       because, other, would);
  if (*verdict.kept_order)
    return fmt::format("the order given, {}, is kept{}; {} {}", given, because, other, would);
  if (!because.empty())
    return fmt::format("{} is written{}; it {} against {}", other, because, would, given);
  return fmt::format("{} is best by {}: it {} against {}", other, verdict.by, would, given);
}

/// @param beside_others the static bound is of all jobs, the simulated time of one.
std::string single_verdict(const Row& row, bool beside_others) {
  const Metrics& metrics = row.metrics;
  if (!leaves_hosts(metrics))
    return fmt::format("{}: no traffic leaves a host, nothing is left to improve", row.mapper);
  std::string text = row.mapper + ": " + bounds_text(row);
  if (row.simulation && !beside_others)
    text +=
        "; the simulated time " + gap_text(metrics.max_congestion.value,
                                           row.simulation->makespan.value, static_bound_name(row));
  return text;
}

std::string mappers_verdict(const Report& report) {
  const Verdict& verdict = report.verdict;
  if (report.rows.size() == 1)
    return single_verdict(report.rows.front(), !report.background.empty());
  if (verdict.kept_order) return order_verdict(report);
  if (verdict.best == verdict.baseline) return baseline_verdict(report);
  const std::string name = row_name(report, verdict.best);
  const std::string head = verdict.ties.empty()
                               ? fmt::format("{} is best by {}: it", name, verdict.by)
                               : fmt::format("{}: {}", tie_text(report), name);
  return fmt::format("{} would {} against {}", head, effect(report, verdict.baseline, verdict.best),
                     row_name(report, verdict.baseline));
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
  if (routing != Routing::automatic && routing != Routing::simgrid)
    text = fmt::format("with routing {}, {}", to_string(routing), text);
  const std::string swapped = swapped_rows(report);
  if (!swapped.empty())
    text += fmt::format(
        "; the order of the busiest links depends on routing: with ideal routing {}", swapped);
  return text;
}

}  // namespace vtopo

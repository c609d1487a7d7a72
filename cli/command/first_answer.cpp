#include "cli/command/first_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/report/change.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/rows.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Grids that are named beside the best one, and kinds of links.
constexpr std::size_t max_named_grids = 3;
constexpr std::size_t max_kinds = 6;

/// Of the longest time: kinds that take less hold nothing back.
constexpr double least_share = 1e-3;

/// `4 % longer`, or that the times tie.
std::string compared(double time, double best, double noise) {
  const double percent = 100 * (time / best - 1);
  if (std::abs(percent) < 0.5) return "as long";
  if (is_tie(time, best, noise)) return "no difference above noise";
  return percent > 0 ? fmt::format("{:.0f} % longer", percent)
                     : fmt::format("{:.0f} % shorter", -percent);
}

std::string grid_text(const std::vector<TriedGrid>& grids, double noise) {
  std::string text = fmt::format("{}, of {} balanced grids, each quickly placed",
                                 grids.front().scenario.topology, grids.size());
  for (std::size_t g = 1; g < std::min(grids.size(), max_named_grids + 1); ++g)
    text += fmt::format("{} {}: {}", g == 1 ? ";" : ",", grids[g].scenario.topology,
                        compared(grids[g].time.value, grids.front().time.value, noise));
  return text;
}

/// Time of the best row, then how much longer the other rows take.
std::string placement_text(const Report& report) {
  const std::vector<double> times = row_times(report);
  const std::size_t best = report.verdict.best;
  std::string text = fmt::format("{}: {}", report.rows[best].mapper, format_seconds({times[best]}));
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    if (row == best || times[row] <= 0) continue;
    text += fmt::format(", {} against {} ({}{})", signed_text(change(times[row], times[best])),
                        report.rows[row].mapper, format_seconds({times[row]}),
                        is_tie(times[best], times[row], report.noise) ? ", a tie" : "");
  }
  return text;
}

/// A link's kind and how long the busiest link of that kind is busy.
struct BusyKind {
  std::string kind;
  Seconds time;
};

/// The longest first.
std::vector<BusyKind> busy_kinds(const Network& network, const Metrics& metrics) {
  const std::vector<LinkClass> classes = network.link_classes();
  std::vector<BusyKind> kinds;
  for (const LinkClass& kind : classes) kinds.push_back({kind.name, {0}});
  for (std::size_t l = 0; l < metrics.links.size(); ++l) {
    Seconds& most = kinds[static_cast<std::size_t>(network.link_class(id_at<LinkId>(l)))].time;
    most = std::max(most, metrics.links[l].congestion);
  }
  std::erase_if(kinds, [](const BusyKind& kind) { return kind.time.value <= 0; });
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const BusyKind& a, const BusyKind& b) { return a.time > b.time; });
  return kinds;
}

std::string kinds_text(const std::vector<BusyKind>& kinds) {
  std::vector<std::string> parts;
  for (const BusyKind& kind : kinds)
    if (parts.size() < max_kinds && kind.time >= kinds.front().time * least_share)
      parts.push_back(fmt::format("{} {}", kind.kind, format_seconds(kind.time)));
  return parts.empty() ? "nothing: no message leaves its node" : join(parts, ", ");
}

/// What neighbours exchange, of a grid that divides a domain.
std::string volume_text(const Scenario& scenario) {
  return fmt::format(
      "the grid divides {} elements of {}; neighbours exchange the points of their common face",
      scenario.domain->text(), scenario.element.text());
}

}  // namespace

std::vector<TriedGrid> try_grids(const std::vector<Scenario>& scenarios, Observer& observer) {
  std::vector<TriedGrid> tried;
  double noise = 0;
  const auto work = observer.begin(fmt::format("trying {} grids", scenarios.size()));
  const auto request = observer.listen();
  for (const Scenario& scenario : scenarios) {
    Scenario quick = scenario;
    quick.mappers = mapper_of(MapperRole::default_choice).name + ":members=quick,refine=no";
    quick.time_limit.reset();
    Observer silent;
    RunPlan plan = plan_run(quick, silent);
    const PlacedReport placed = compare(plan, silent);
    tried.push_back({scenario, {row_times(placed.report).front()}});
    noise = plan.experiment.noise;
    work->update(static_cast<double>(tried.size()) / static_cast<double>(scenarios.size()));
    if (!request->is_set()) continue;
    observer.remark(fmt::format("interrupted: the best of the first {} of {} grids, quickly placed",
                                tried.size(), scenarios.size()));
    for (TriedGrid& grid : tried) grid.scenario.mappers = quick.mappers;
    break;
  }
  // Of those that tie with the quickest the first one has the least halo.
  const auto is_quicker = [](const TriedGrid& a, const TriedGrid& b) { return a.time < b.time; };
  const Seconds least = std::min_element(tried.begin(), tried.end(), is_quicker)->time;
  const auto others = std::stable_partition(tried.begin(), tried.end(), [&](const TriedGrid& grid) {
    return is_tie(grid.time.value, least.value, noise);
  });
  std::stable_sort(others, tried.end(), is_quicker);
  return tried;
}

std::string with_launcher_orders(const std::string& mapper) {
  std::string mappers;
  for (const MapperInfo& info : all_mappers())
    if (info.ignores_traffic && !info.uses_seed && info.self_contained) mappers += info.name + ',';
  return mappers + mapper;
}

std::string first_answer(const RunPlan& plan, const PlacedReport& placed,
                         const std::vector<TriedGrid>& grids, const std::string& file,
                         const TextStyle& style) {
  const Report& report = placed.report;
  const Experiment& experiment = plan.experiment;
  std::string text;
  const auto add = [&](std::string_view key, std::string_view value) {
    text += key_line(key, 15, value, style.width);
  };
  if (grids.size() > 1) add("best grid", grid_text(grids, report.noise));
  if (plan.scenario.domain) add("volumes", volume_text(plan.scenario));
  add("best placement", placement_text(report));
  const Metrics metrics =
      metrics_of(experiment, placed.embeddings[report.verdict.best], plan.setup.budget.threads);
  add("held back by", kinds_text(busy_kinds(*experiment.network, metrics)));
  add("noise", noise_fact(report.noise));
  for (const std::string& assumption : report.assumptions) add("assumes", assumption);
  if (!file.empty()) add("file", file);
  for (const auto& [launcher, command] : report.launch)
    text += folded_command(fmt::format("{}: {}", launcher, command), style.width) + '\n';
  return text;
}

}  // namespace vtopo::detail

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/run/ranking.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

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
double link_load_of(const PhaseRow& phase) {
  return phase.metrics.max_link_load.value;
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
      number_column("one step", "hop_bytes, " + hops.unit(), hops, phases, hop_bytes_of));
  const ColumnScale link = byte_scale(values_of(phases, link_load_of));
  columns.push_back(
      number_column("one step", "max_link_load, " + link.unit(), link, phases, link_load_of));
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
  columns.push_back(number_column(group, "max_congestion", scale, phases, bound));
  if (phases.front()->simulation)
    columns.push_back(number_column(group, "makespan", scale, phases, time_of));
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

}  // namespace

Seconds PhaseRow::static_bound() const {
  return metrics.max_congestion * static_cast<double>(repeat);
}

std::optional<Seconds> PhaseRow::makespan() const {
  if (!simulation) return std::nullopt;
  return simulation->makespan * static_cast<double>(repeat);
}

std::string detail::phases_text(const Row& row) {
  const std::vector<const PhaseRow*> phases = shown_phases(row);
  std::vector<TextColumn> columns{{"", "phase", {}, Align::left}, {"", "steps", {}}};
  for (const PhaseRow* phase : phases) {
    columns[0].cells.push_back(phase->name);
    columns[1].cells.push_back(fmt::format("{}", phase->repeat));
  }
  append_volumes(phases, columns);
  append_times(phases, steps_overlap(row), columns);
  append_shares(row, phases, columns);
  std::string text;
  for (const std::string& line : lay_out(columns)) text += "  " + line + '\n';
  text += rest_text(row, phases);
  if (steps_overlap(row))
    text +=
        "  phases overlap: a rank starts its next step when its own messages are over, so that\n"
        "  makespans of phases may add up to more than that of the whole\n";
  return text;
}

}  // namespace vtopo

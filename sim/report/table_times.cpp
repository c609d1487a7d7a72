#include <fmt/format.h>

#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

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

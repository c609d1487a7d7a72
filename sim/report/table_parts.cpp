#include "sim/report/table_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vtopo::detail {

namespace {

/// What a SimGrid network model assumes, human-readable.
std::string_view assumptions(std::string_view network_model) {
  if (network_model == "CM02")
    return "bandwidth shared max-min fairly, no cross traffic, latencies added per flow";
  if (network_model == "LV08") return "latency and bandwidth corrected for TCP as SimGrid does";
  if (network_model == "SMPI")
    return "latency and bandwidth corrected per message size for MPI as SimGrid does";
  return "as SimGrid defines it";
}

/// How steps follow each other in time.
std::string_view pace(const Row& row) {
  if (row.clock == "program")
    return row.phases.empty() ? "\n  with what messages cost at their ends"
                              : "\n  a rank starts its next step when its own messages are over";
  if (row.clock == "trace")
    return "\n  local work and messages as recorded, each rank in its own order";
  if (row.clock == "steps")
    return "\n  a rank starts its next step when its own messages are over; messages are too many "
           "to\n"
           "  follow each: those of a step share links as if all of them started together";
  if (row.clock == "phases" && (row.phases.size() > 1 || row.phases.front().repeat > 1))
    return "\n  a step starts when the one before has ended on every rank";
  return "";
}

std::string escaped(std::string_view code, std::string_view text) {
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace

std::string Ink::bold(std::string_view text) const {
  return colour ? escaped("1", text) : std::string(text);
}

std::string Ink::dim(std::string_view text) const {
  return colour ? escaped("2", text) : std::string(text);
}

std::string solver_text(const std::string& solver) {
  return solver == "simgrid" ? "SimGrid" : "vtopo's " + solver + " solver";
}

std::string simulation_text(const Report& report) {
  const auto simulated = [](const Row& row) { return row.simulation.has_value(); };
  const auto first = std::find_if(report.rows.begin(), report.rows.end(), simulated);
  if (first == report.rows.end() && report.not_simulated.empty() && !report.background.empty())
    return "not simulated: the static bound is of the traffic of all jobs";
  if (first == report.rows.end())
    return "not simulated: " + (report.not_simulated.empty()
                                    ? "the static bound is a lower bound of the simulated time"
                                    : report.not_simulated);
  const auto count = std::count_if(report.rows.begin(), report.rows.end(), simulated);
  const auto rows = static_cast<std::ptrdiff_t>(report.rows.size());
  return fmt::format("{}{} simulated by {}, model {}:\n  {}{}", report.makespan_name,
                     count < rows ? fmt::format(" of {} of {} rows", count, rows) : "",
                     solver_text(first->solver), first->network_model,
                     assumptions(first->network_model), pace(*first));
}

}  // namespace vtopo::detail

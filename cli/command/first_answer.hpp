#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/run/plan.hpp"

namespace vtopo::detail {

/// A grid of ranks that was tried, with the time of the best placement found quickly.
struct TriedGrid {
  Scenario scenario;
  Seconds time;
};

/// Places the ranks of each scenario, which differ in their grids, by what takes little time.
/// @returns the quickest first; at a tie as they were given.
std::vector<TriedGrid> try_grids(const std::vector<Scenario>& scenarios, Observer& observer);

/// Mappers of a report that compares with what launchers do: those, then the one of the scenario.
std::string with_launcher_orders(const std::string& mapper);

/// The answer to "which grid, which placement, what is gained, and what holds it back?", in lines
/// of the style's width.
/// @param grids that were tried, the chosen one first; one: no choice is reported.
/// @param file of the embedding; empty: none was written.
std::string first_answer(const RunPlan& plan, const PlacedReport& placed,
                         const std::vector<TriedGrid>& grids, const std::string& file,
                         const TextStyle& style);

}  // namespace vtopo::detail

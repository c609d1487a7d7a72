#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.hpp"

namespace vtopo::detail {

/// Emphasis on a terminal; plain text unless `colour`.
struct Ink {
  bool colour = false;

  std::string bold(std::string_view text) const;
  std::string dim(std::string_view text) const;
};

/// Guest, network, routing and, of several rows, the bounds that they share; an empty line.
std::string head_text(const Report& report);

/// One line per phase of a row that has some; the longest ones where there are many.
std::string phases_text(const Row& row);

/// One line per row of the report, under headings, and a line that explains the headings.
std::string comparison_text(const Report& report, const Ink& ink);

/// All about the only embedding of a report, one quantity per line, and how many edges have how
/// many hops.
std::string details_text(const Report& report);

/// `hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound`: what is left to
/// gain at most; of one embedding, for every report.
std::string bounds_text(const Row& row);

/// The busiest link of every row under ideal routing and under its own, a line each; empty where
/// nobody asked for it.
std::string ideal_text(const Report& report);

/// Bar chart of directed edges over hops; neighbouring hop counts share a bar if there are many.
std::string histogram_text(const std::vector<std::int64_t>& hop_histogram);

/// `SimGrid` or `vtopo's fast solver`.
std::string solver_text(const std::string& solver);

/// Sentence on what produced the simulated times, or that nothing did.
std::string simulation_text(const Report& report);

}  // namespace vtopo::detail

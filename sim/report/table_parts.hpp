#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"

namespace vtopo::detail {

/// Columns that the keys of lines such as `network      torus:8x8` take.
inline constexpr std::size_t key_width = 12;

/// Keys and values of what stands above a table or on top of a page: application, network, routing
/// and, of several rows, the noise and the bounds that they share.
std::vector<std::pair<std::string, std::string>> head_facts(const Report& report);

/// These facts, a line each; an empty line.
std::string head_text(const Report& report, const TextStyle& style);

/// One line per phase of a row that has some; the longest ones where there are many.
std::string phases_text(const Row& row, const TextStyle& style);

/// `hop-bytes (hop_bytes): bytes times the links that they cross; ...`: what files call columns.
std::string legend_of(const std::vector<const RowField*>& fields);

/// One line per row of the report, under headings, and a line that explains the headings.
std::string comparison_text(const Report& report, const TableStyle& style);

/// All about the only embedding of a report, one quantity per line, and how many edges have how
/// many hops.
std::string details_text(const Report& report, const TextStyle& style);

/// `hop-bytes 9.0 % above the lower bound; the busiest link at its lower bound`: what is left to
/// gain at most; of one embedding, for every report.
std::string bounds_text(const Row& row);

/// The busiest link of every row under ideal routing and under its own, a line each; empty where
/// nobody asked for it.
std::string ideal_text(const Report& report);

/// `SimGrid` or `vtopo's fast solver`.
std::string solver_text(const std::string& solver);

/// Sentence on what produced the simulated times, or that nothing did.
std::string simulation_text(const Report& report);

}  // namespace vtopo::detail

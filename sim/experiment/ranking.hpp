#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/experiment/report.hpp"

namespace vtopo::detail {

/// Whether a row is of the mapper that others are compared with.
bool is_baseline(const Row& row);

/// Seconds that each row takes: simulated where all rows are, else by the static bound.
std::vector<double> row_times(const Report& report);

/// Row that takes the least time: as `row_times` has it. Among rows within a thousandth of the
/// least, the one with the fewest hop-bytes; among equals the baseline, then the first.
std::size_t best_row(const Report& report);

/// Rows as tables and pages sort them: the best, then the others by the time that it goes by; equal
/// ones as they were asked for.
std::vector<std::size_t> sorted_rows(const Report& report);

/// By what `best_row` goes: `simulated time`, or `static time` where a row is not simulated.
std::string best_by(const Report& report);

/// Row with the fewest hop-bytes; among equals the baseline, then the first.
std::size_t fewest_hop_bytes_row(const Report& report);

/// The mapper, with its seed where the rows of the report differ in it.
std::string row_name(const Report& report, std::size_t row);

/// Whether each rank starts its next step when its own messages are over.
bool steps_overlap(const Row& row);

/// What `max_congestion` is to the simulated time: a bound, unless several phases overlap.
std::string_view static_bound_name(const Row& row);

}  // namespace vtopo::detail

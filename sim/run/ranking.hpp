#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/report.hpp"

namespace vtopo::detail {

/// Whether a row is of the mapper that others are compared with.
bool is_baseline(const Row& row);

/// Whether every row has a simulated time.
bool all_simulated(const Report& report);

/// Seconds that each row takes: simulated where all rows are, else by the static bound; or its
/// hop-bytes, where they decide.
std::vector<double> row_times(const Report& report);

/// Rows as tables and pages sort them: the best of the verdict, then the others by time; equal ones
/// as they were asked for.
std::vector<std::size_t> sorted_rows(const Report& report);

/// The row with the fewest hop-bytes among some; among equals the preferred one, then the first.
std::size_t fewest_hop_bytes(const Report& report, std::span<const std::size_t> rows,
                             std::size_t preferred);

/// The mapper, with its seed where the rows of the report differ in it.
std::string row_name(const Report& report, std::size_t row);

/// Whether each rank starts its next step when its own messages are over.
bool steps_overlap(const Row& row);

/// What `max_congestion` is to the simulated time: a bound, unless several phases overlap.
std::string_view static_bound_name(const Row& row);

}  // namespace vtopo::detail

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/report/report.hpp"

namespace vtopo {

/// Row with the fewest hop-bytes, among equals the one with the least congestion, among equals the
/// baseline, then the first.
std::size_t best_row(const Report& report);

/// Row with the least congestion, among equals the one with the fewest hop-bytes, then as above.
std::size_t least_congested_row(const Report& report);

/// Row that is simulated to finish first, if that is before the baseline.
std::optional<std::size_t> fastest_row(const Report& report);

/// The mapper, with its seed where the rows of the report differ in it.
std::string row_name(const Report& report, std::size_t row);

}  // namespace vtopo

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// Relative, of all comparisons: room for rounding alone.
inline constexpr double accepted_difference = 1e-9;

/// The document so far, in Markdown, and how much is wrong.
struct ValidationReport {
  std::string text;
  int failures = 0;

  /// Word for a table; counts what is not good.
  const char* judge(bool good) {
    if (!good) ++failures;
    return good ? "yes" : "**NO**";
  }
};

/// Largest relative difference; infinity if the lengths differ.
double largest_difference(const std::vector<double>& times, const std::vector<double>& expected);

std::vector<double> numbers(const std::vector<Seconds>& times);

// Sections of the document.

/// Finish times calculated by hand.
/// @param folder for platform files.
void check_by_hand(ValidationReport& report, const std::string& folder);

/// A program with SimGrid's own zones.
void check_own_zones(ValidationReport& report);

/// Static bounds below and above the simulated time of random scenarios.
/// @param first seed; one scenario per seed.
void check_bounds(ValidationReport& report, const std::string& folder, int count,
                  std::uint64_t first);

}  // namespace vtopo

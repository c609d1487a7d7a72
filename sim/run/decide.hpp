#pragma once

#include <optional>

#include "sim/run/report.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Share up to which two figures are a tie whatever was measured: clocks and sums round.
inline constexpr double tie_share = 1e-6;

/// What the embedding of the last row must do to be written instead of the first one's, the order
/// given: take no more time, and gain more than the share, in time or, where the objective is
/// another, in the first of its sums in which the rows differ. A share of minus infinity, `none`,
/// always writes it.
struct OrderRule {
  const Objective& objective;
  const Parsed<parse_gain>& min_gain;
};

/// Whether two times cannot be told apart under the noise of a report.
bool is_tie(double a, double b, double noise);

/// Share that must be gained: that of the rule, or 1 % and no less than half of the noise.
double least_gain(const Parsed<parse_gain>& min_gain, double noise);

/// The verdict on the rows of a report, at least one.
///
/// Time decides: simulated where all rows are, else by the static bound. Rows within the noise of
/// the least time tie with it; among them the fewest hop-bytes decide, then the baseline, then the
/// first. An order is kept or replaced by times as they are: what is likely to gain is written even
/// where noise calls it a tie.
/// @param rule of a report on an order to be kept or replaced; counts from two rows on.
Verdict decide(const Report& report, const std::optional<OrderRule>& rule = {});

}  // namespace vtopo::detail

#pragma once

#include "sim/experiment/report.hpp"
#include "sim/experiment/scenario.hpp"

namespace vtopo::detail {

/// Decides whether the order given, the first row, is kept, and sets `kept_order` and
/// `kept_because` of the report; one row alone leaves nothing to decide. It is kept if the last row
/// is predicted slower, or to gain no more than the share: in time, or, where the objective is
/// another, in the first of its sums in which the rows differ. Time is simulated if both rows are,
/// else static.
void decide_order(const Objective& objective, const Parsed<parse_gain>& min_gain, Report& report);

}  // namespace vtopo::detail

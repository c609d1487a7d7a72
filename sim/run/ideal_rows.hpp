#pragma once

#include "sim/run/experiment.hpp"
#include "sim/run/report.hpp"

namespace vtopo::detail {

/// Puts into a row how busy its busiest link is under ideal routing: of all traffic, or in sum over
/// the steps of a schedule, as `Metrics::max_congestion` of the row. Nothing where it is not known
/// where links lead.
void put_ideal(const Experiment& experiment, const Embedding& embedding, Row& row);

}  // namespace vtopo::detail

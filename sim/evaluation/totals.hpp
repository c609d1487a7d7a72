#pragma once

#include "sim/evaluation/metrics.hpp"

namespace vtopo::detail {

/// What `evaluate` finds, without `links`, or with them where that takes no longer: fast where few
/// of the links of a large network are used.
Metrics evaluate_totals(const CommGraph& guest, const Network& network, const Embedding& embedding);

}  // namespace vtopo::detail

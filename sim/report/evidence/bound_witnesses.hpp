#pragma once

#include "sim/evaluation/bounds.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/report/evidence/json_lists.hpp"

namespace vtopo::detail {

/// JSON object from which the bounds of all messages together follow: hops from hosts to their
/// nearest slots, prices of the assignment, bandwidth by which hosts send, cells that cuts lie
/// between, and the least volume between any k ranks and the others.
void write_bound_witnesses(const Experiment& experiment, const Bounds& bounds, JsonLists& json);

}  // namespace vtopo::detail

#pragma once

#include "sim/evaluation/bounds.hpp"
#include "sim/run/experiment.hpp"
#include "sim/check/evidence/json_lists.hpp"

namespace vtopo::detail {

/// Whether the bound of the largest congestion hangs on which links routes between hosts of the
/// job take, and these are few enough to list all their routes.
bool needs_all_routes(const Experiment& experiment, const Bounds& bounds);

/// JSON object from which the bounds of all messages together follow: hops from hosts to their
/// nearest slots, prices of the assignment, bandwidth by which hosts send, cells that cuts lie
/// between, and the least volume between any k ranks and the others.
void write_bound_witnesses(const Experiment& experiment, const Bounds& bounds, JsonLists& json);

}  // namespace vtopo::detail

#pragma once

#include <optional>

#include "cli/what_if/what_if.hpp"
#include "cli/what_if/what_if_plan.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/report/pictures/row_pictures.hpp"

namespace vtopo {

/// Lower bounds that the rows of a scenario share.
Bounds bound_all_rows(const Scenario& scenario);

/// Maps, evaluates and simulates every mapper of the plan, a row of the report each.
/// @param pictures get what they need of each row, if there are any.
void add_rows(const WhatIfPlan& plan, const WhatIfOptions& options, const Scenario& scenario,
              const Bounds& bounds, const WhatIfHooks& hooks, Report& report,
              std::optional<PictureSource>& pictures);

}  // namespace vtopo

#pragma once

#include <vector>

#include "sim/mapping/api/objective.hpp"

namespace vtopo::detail {

/// The measures of the folder, in the order of its files; generated.
std::vector<Measure> built_in_measures();

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "sim/mapping/api/measure.hpp"

namespace vtopo {

/// The measures of the folder, in the order of its files; generated.
std::vector<Measure> built_in_measures();

}  // namespace vtopo

#pragma once

#include <string>

#include "sim/study/study_groups.hpp"

namespace vtopo::detail {

/// SVG element: the least of the best field over the two axes with the most values, a cell for each
/// pair; of one axis a row of cells. Empty where nothing differs. Internal to this folder.
std::string study_heat_map(const Study& study, const GroupedStudy& grouped);

/// SVG element: for the best cases of each group the values of the best field over the draws, a
/// point each, with the median. Empty where no case has several draws.
std::string study_spreads(const Study& study, const GroupedStudy& grouped);

}  // namespace vtopo::detail

#pragma once

#include <string>

#include "sim/study/study_groups.hpp"

namespace vtopo::detail {

/// Whether rows of a study are without and with something.
bool has_changes(const Study& study);

/// Table of what a change costs: metrics without it, with it and the difference, a line per case;
/// over draws the median and the worst. Without changes it is not called.
std::string changes_table(const Study& study, const StudyView& view, bool colour);

}  // namespace vtopo::detail

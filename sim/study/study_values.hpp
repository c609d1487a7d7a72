#pragma once

#include <string>

#include "sim/draw/value_scale.hpp"
#include "sim/study/study_groups.hpp"

namespace vtopo::detail {

/// What pictures and sentences call the values of a field by.
PictureUnit unit_of(const RowField& field);

/// `12 ms`, or over draws `12 ms (11 ms to 14 ms)`.
std::string spread_text(const Spread& spread, const RowField& field);

}  // namespace vtopo::detail

#pragma once

#include <string>

#include "sim/placement/placed_ranks.hpp"

namespace vtopo::detail::formats {

/// Places the ranks of a document of schema `vtopo/embedding/v1`: `rank` and `host` (the name) of
/// each object in `ranks`; other keys are not looked at.
/// @throws InputError with file, line and column.
void read_json_ranks(const std::string& path, PlacedRanks& ranks);

}  // namespace vtopo::detail::formats

#pragma once

#include <string_view>

#include "topology/mpi/cartesian.hpp"

namespace vtopo::detail {

/// Grid of `8x8p` (p behind a size: periodic); first dimension first.
/// @param whole the specification that the sizes stand in, for messages.
/// @throws UsageError for a malformed size or more than 2^31-1 ranks.
Cartesian parse_grid(std::string_view sizes, std::string_view whole);

}  // namespace vtopo::detail

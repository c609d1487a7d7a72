#pragma once

#include <fmt/format.h>

#include "topology/base/error.hpp"
#include "topology/base/input_limits.hpp"

namespace vtopo::detail {

/// The most operations of a rank or of a collective that a trace may ask for: a line of a few bytes
/// stands for messages with every other rank.
inline constexpr double max_trace_operations = input_limit(200e6, 1e5);

/// @throws InputError above the limit.
inline void check_num_operations(double count) {
  if (count > max_trace_operations)
    throw InputError(
        fmt::format("{:.3g} operations; accepted are up to {:.3g}", count, max_trace_operations));
}

}  // namespace vtopo::detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "netmodels/network_answers.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

/// Hops along one axis of a grid; entry `a * size + b` is from a to b.
/// @tparam Count an integer that holds `size - 1`.
template <class Count>
std::vector<Count> hops_along(const NetworkAxis& axis) {
  const auto size = narrow<std::size_t>(axis.size);
  std::vector<Count> table;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) {
      std::size_t steps = a < b ? b - a : a - b;
      if (axis.kind == AxisKind::ring) steps = std::min(steps, size - steps);
      if (axis.kind == AxisKind::complete) steps = std::min<std::size_t>(steps, 1);
      table.push_back(static_cast<Count>(steps));
    }
  return table;
}

}  // namespace vtopo::detail

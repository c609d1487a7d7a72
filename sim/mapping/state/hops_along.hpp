#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vtopo {

/// Hops along one dimension of a torus (it wraps) or mesh; entry `a * size + b` is from a to b.
/// @tparam Count an integer that holds `size - 1`.
template <class Count>
std::vector<Count> hops_along(std::size_t size, bool wraps) {
  std::vector<Count> table;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) {
      const std::size_t ahead = a < b ? b - a : a - b;
      table.push_back(static_cast<Count>(wraps ? std::min(ahead, size - ahead) : ahead));
    }
  return table;
}

}  // namespace vtopo

#pragma once

#include <span>
#include <vector>

#include "netmodels/models/torus/grid.hpp"

namespace vtopo {

/// Flows that begin or end in one place, or use one link.
struct LegLoad {
  double volume = 0;  ///< on a link: multiplied by the number of far ends whose legs take the link
  std::int32_t flows = 0;

  LegLoad& operator+=(const LegLoad& other) {
    volume += other.volume;
    flows += other.flows;
    return *this;
  }
};

/// Loads of the cables of one line, by direction.
struct LineLoads {
  std::vector<LegLoad> positive;
  std::vector<LegLoad> negative;
};

/// Which end of a leg is known; the other is each coordinate of the line once.
enum class LegEnd { source, destination };

/// What the links of a line of `axis` carry if each of its coordinates has legs to or from all
/// coordinates, under SimGrid's ties. `ends` says what begins (or ends) at each coordinate.
/// O(size), and without differences: where nothing runs the load is exactly 0.
void line_loads(const TorusAxis& axis, LegEnd end, std::span<const LegLoad> ends, LineLoads& loads);

}  // namespace vtopo

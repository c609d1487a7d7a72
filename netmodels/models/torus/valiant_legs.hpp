#pragma once

#include <span>
#include <vector>

#include "netmodels/models/flow_sums.hpp"
#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// Loads of the cables of one line, by direction: the volume is multiplied by the number of far
/// ends whose legs take the link.
struct LineLoads {
  std::vector<FlowSum> positive;
  std::vector<FlowSum> negative;
};

/// Which end of a leg is known; the other is each coordinate of the line once.
enum class LegEnd { source, destination };

/// What the links of a line of `axis` carry if each of its coordinates has legs to or from all
/// coordinates, under SimGrid's ties. `ends` says what begins (or ends) at each coordinate.
/// O(size), and without differences: where nothing runs the load is exactly 0.
void line_loads(const TorusAxis& axis, LegEnd end, std::span<const FlowSum> ends, LineLoads& loads);

}  // namespace vtopo::detail

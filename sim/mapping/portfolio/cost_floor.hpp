#pragma once

#include <vector>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// What no embedding of a problem costs less than, sum by sum of the objective. Measures without a
/// bound count as 0, so that a sum of them is reached by 0 alone.
class CostFloor {
 public:
  /// Looks for the bounds of the problem if there is time; of the sums, whatever comes before them.
  CostFloor(const MappingProblem& problem, const SearchControl& control);

  /// Whether an embedding of this cost is as good as any, but for rounding.
  bool reached(const Cost& cost) const;

 private:
  std::vector<double> sums_;  ///< empty: never reached
};

}  // namespace vtopo::detail

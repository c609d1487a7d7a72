#pragma once

#include <cstdint>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// How an annealing begins and accounts for, in units of the pressure of the most loaded link.
struct LinkHeat {
  double temperature;  ///< the first; it falls geometrically
  double linear_part;  ///< what the congestion of a link counts in addition to its power
};

/// Simulated annealing that lowers the pressure on the links (see LinkPressure), measured against
/// the most loaded link of the moment: a link that carries a tenth less than that one counts less
/// than half. Every second change moves a rank whose flows cross one of the most loaded links.
/// Spends the whole budget (`default_steps` if `control` has none) and returns the
/// embedding of the least largest congestion seen, which may be the start.
Embedding anneal_links(const MappingProblem& problem, const SearchControl& control,
                       const Embedding& start, const LinkHeat& heat, std::int64_t default_steps);

}  // namespace vtopo::detail

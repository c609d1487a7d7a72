#pragma once

#include <vector>

#include "netmodels/more_models/hyperx/grid.hpp"

namespace vtopo::detail {

/// Adds all that follows from sizes and rates, whatever the routes. What is given must outlive the
/// facts.
/// @param rates of each dimension, then of the hosts' cables.
void add_hyperx_facts(const HyperXSpec& spec, const HyperXGrid& grid,
                      const std::vector<LinkProperties>& rates, NetworkFacts& facts);

}  // namespace vtopo::detail

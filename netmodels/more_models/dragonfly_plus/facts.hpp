#pragma once

#include <string>
#include <vector>

#include "netmodels/models/host_runs.hpp"
#include "netmodels/more_models/dragonfly_plus/cells.hpp"

namespace vtopo::detail {

/// What the key `cells` lists.
HostRuns dragonfly_plus_runs(const DragonflyPlusSpec& spec);

/// Specification that gives the same network again.
std::string dragonfly_plus_description(const DragonflyPlusSpec& spec);

/// Adds all that follows from cells and rates, whatever the routes. What is given must outlive the
/// facts.
/// @param rates of the links of hosts, leaves and cells.
void add_dragonfly_plus_facts(const DragonflyPlusSpec& spec, const DragonflyPlusCells& cells,
                              const std::vector<LinkProperties>& rates, NetworkFacts& facts);

}  // namespace vtopo::detail

#pragma once

#include <vector>

#include "sim/research/bench/instance.hpp"

namespace vtopo::detail::families {

/// Each lists the instances of one family.
std::vector<Instance> finite_elements();
std::vector<Instance> hosts_with_slots();
std::vector<Instance> hypercubes();
std::vector<Instance> irregular_guests();
std::vector<Instance> partitions();
std::vector<Instance> random_geometric();
std::vector<Instance> stencils_on_tori();
std::vector<Instance> stencils_on_trees();

}  // namespace vtopo::detail::families

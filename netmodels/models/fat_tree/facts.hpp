#pragma once

#include "netmodels/models/fat_tree/levels.hpp"

namespace vtopo::detail {

/// Adds all that follows from the levels, whatever the routes. What is given must outlive the
/// facts.
void add_fat_tree_facts(const FatTreeSpec& spec, const FatTreeLevels& levels, NetworkFacts& facts);

}  // namespace vtopo::detail

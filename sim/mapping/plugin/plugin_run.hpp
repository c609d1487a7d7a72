#pragma once

#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/plugin/vtopo_plugin.h"

namespace vtopo::detail {

/// Lets a mapper of a plugin map, and checks what it returns.
/// @throws InputError if the mapper fails, a rank has no host of the allocation or a host more
/// ranks than slots; the sentence names the plugin and the rank.
Embedding run_plugin(const vtopo_mapper_plugin& mapper, const std::string& path,
                     const std::vector<MapperOption>& options, const MappingProblem& problem,
                     const SearchControl& control);

}  // namespace vtopo::detail

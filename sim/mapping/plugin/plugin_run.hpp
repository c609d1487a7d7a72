#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/plugin/vtopo_plugin.h"

namespace vtopo::detail {

/// Lets a mapper of a plugin map, in a process of its own, and checks what it returns. What it
/// prints is a remark.
/// @throws InputError if the mapper fails, aborts, exits or goes on when it should have stopped, a
/// rank has no host of the allocation or a host more ranks than slots; the sentence names the
/// plugin and the rank.
Embedding run_plugin(const vtopo_mapper_plugin& mapper, const std::string& path,
                     const std::vector<MapperOption>& options, const MappingProblem& problem,
                     const SearchControl& control);

/// Loads a plugin in another process first.
/// @param load may throw InputError.
/// @throws InputError if that process ends.
void try_plugin(const std::string& path, const std::function<void()>& load);

}  // namespace vtopo::detail

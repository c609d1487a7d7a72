#pragma once

#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo {

/// Mappers of a shared library with the interface of `vtopo_plugin.h`. Its code runs in this
/// process, from the moment it is loaded, and stays until the end. What a mapper returns is
/// checked.
/// @throws InputError if the file is not a plugin, or one of another version of the interface. The
/// mappers throw InputError if they fail, and for ranks without a host or beyond its slots.
std::vector<MapperInfo> load_plugin(const std::string& path);

/// Loads a plugin and adds its mappers to the table of all mappers.
/// @throws InputError as above; UsageError if there is a mapper of one of its names already.
void add_plugin(const std::string& path);

}  // namespace vtopo

#pragma once

#include <string_view>
#include <vector>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail {

/// The mappers of this library, sorted by name; generated from the folder `sim/mapping/mappers`.
std::vector<MapperInfo> builtin_mappers();

/// Mappers that only a library beside the core knows.
struct MapperLibrary {
  std::vector<MapperInfo> (*mappers)() = nullptr;
};

/// Each is defined by its library alone, vtopo::adapters and vtopo::mappers, before any code runs;
/// without it there is no such object.
extern "C" [[gnu::weak]] const MapperLibrary vtopo_mapper_adapters;
extern "C" [[gnu::weak]] const MapperLibrary vtopo_more_mappers;

/// Adds mappers to the table, which stays sorted; others may be reading it.
/// @param origin what brings them, for errors: `plugin "a.so"`.
/// @throws UsageError if a name is taken; then none is added.
void register_mappers(std::vector<MapperInfo> mappers, std::string_view origin);

/// The measures of the folder `sim/mapping/objectives`, in the order of its files; generated.
std::vector<MeasureDefinition> built_in_measures();

}  // namespace vtopo::detail

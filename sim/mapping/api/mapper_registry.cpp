#include "sim/mapping/api/mapper_registry.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "topology/base/error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// The one table of the program: plugins named on the command line are added before work starts.
std::vector<MapperInfo>& table() {
  static std::vector<MapperInfo> mappers = builtin_mappers();
  return mappers;
}

}  // namespace

const std::vector<MapperInfo>& all_mappers() {
  return table();
}

void detail::register_mappers(std::vector<MapperInfo> mappers, std::string_view origin) {
  std::set<std::string_view> names;
  for (const MapperInfo& info : table()) names.insert(info.name);
  for (const MapperInfo& info : mappers)
    if (!names.insert(info.name).second)
      throw UsageError(fmt::format("mapper \"{}\" of {}: there is a mapper of that name already",
                                   info.name, origin));
  names.clear();
  std::move(mappers.begin(), mappers.end(), std::back_inserter(table()));
  std::sort(table().begin(), table().end(),
            [](const MapperInfo& a, const MapperInfo& b) { return a.name < b.name; });
}

}  // namespace vtopo

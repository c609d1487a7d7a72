#include "sim/mapping/api/mapper_registry.hpp"

#include <algorithm>
#include <atomic>
#include <forward_list>
#include <mutex>
#include <set>

#include "topology/base/error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// The one table of the program. Who adds mappers makes a new one and leaves the others as they
/// are: another thread may be running a mapper of theirs.
struct Tables {
  std::mutex adding;
  std::forward_list<std::vector<MapperInfo>> all{builtin_mappers()};
  std::atomic<const std::vector<MapperInfo>*> current{&all.front()};
};

Tables& tables() {
  static Tables tables;
  return tables;
}

}  // namespace

const std::vector<MapperInfo>& all_mappers() {
  return *tables().current;
}

void detail::register_mappers(std::vector<MapperInfo> mappers, std::string_view origin) {
  const std::lock_guard lock(tables().adding);
  std::set<std::string_view> names;
  for (const MapperInfo& info : all_mappers()) names.insert(info.name);
  for (const MapperInfo& info : mappers)
    if (!names.insert(info.name).second)
      throw UsageError(fmt::format("mapper \"{}\" of {}: there is a mapper of that name already",
                                   info.name, origin));
  mappers.insert(mappers.end(), all_mappers().begin(), all_mappers().end());
  std::sort(mappers.begin(), mappers.end(),
            [](const MapperInfo& a, const MapperInfo& b) { return a.name < b.name; });
  tables().all.push_front(std::move(mappers));
  tables().current = &tables().all.front();
}

}  // namespace vtopo

#include "sim/mapping/plugin/plugin_run.hpp"

#include <exception>

#include "sim/mapping/plugin/plugin_problem.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

std::string name_of(const vtopo_mapper_plugin& mapper, const std::string& path) {
  return fmt::format("mapper {} of plugin \"{}\"", mapper.name, path);
}

void call(const vtopo_mapper_plugin& mapper, const std::string& path, vtopo_problem& problem,
          std::vector<std::int32_t>& hosts) {
  std::int32_t code = 0;
  try {
    code = mapper.map(&problem, &plugin_api(), hosts.data());
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{} threw: {}", name_of(mapper, path), error.what()));
  } catch (...) {
    throw InputError(name_of(mapper, path) + " threw something");
  }
  if (code == 0) return;
  throw InputError(fmt::format("{} failed with code {}{}{}", name_of(mapper, path), code,
                               problem.error.empty() ? "" : ": ", problem.error));
}

Embedding checked(const vtopo_mapper_plugin& mapper, const std::string& path,
                  const std::vector<std::int32_t>& places, const Allocation& allocation) {
  std::vector<int> used(allocation.hosts.size());
  std::vector<HostId> hosts;
  for (std::size_t r = 0; r < places.size(); ++r) {
    const auto place = static_cast<std::size_t>(places[r]);
    if (places[r] < 0 || place >= used.size())
      throw InputError(
          fmt::format("{} puts rank {} on host {} of the allocation; accepted are 0 to {}",
                      name_of(mapper, path), r, places[r], used.size() - 1));
    if (used[place]++ == allocation.slots[place])
      throw InputError(
          fmt::format("{} puts rank {} on host {} of the allocation, whose slots ({}) are "
                      "full",
                      name_of(mapper, path), r, places[r], allocation.slots[place]));
    hosts.push_back(allocation.hosts[place]);
  }
  return {std::move(hosts), allocation};
}

}  // namespace

Embedding run_plugin(const vtopo_mapper_plugin& mapper, const std::string& path,
                     const std::vector<MapperOption>& options, const MappingProblem& problem,
                     const SearchControl& control) {
  vtopo_problem handle(problem, control, options);
  std::vector<std::int32_t> hosts(static_cast<std::size_t>(problem.guest.num_ranks()), -1);
  call(mapper, path, handle, hosts);
  return checked(mapper, path, hosts, problem.allocation);
}

}  // namespace vtopo::detail

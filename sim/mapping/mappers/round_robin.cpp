#include "sim/mapping/api/mapper.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Places that have more than `used` slots, in order.
std::vector<std::size_t> open_places(const std::vector<std::size_t>& places,
                                     const Allocation& allocation, int used) {
  std::vector<std::size_t> open;
  for (const std::size_t place : places)
    if (allocation.slots[place] > used) open.push_back(place);
  return open;
}

Embedding map_round_robin(const MappingProblem& problem, const SearchControl&) {
  const Allocation& allocation = problem.allocation;
  std::vector<std::size_t> open(allocation.hosts.size());
  for (std::size_t place = 0; place < open.size(); ++place) open[place] = place;
  std::vector<HostId> hosts;
  for (int used = 0; int_size(hosts) < problem.guest.num_ranks(); ++used) {
    open = open_places(open, allocation, used);
    for (const std::size_t place : open)
      if (int_size(hosts) < problem.guest.num_ranks()) hosts.push_back(allocation.hosts[place]);
  }
  return {std::move(hosts), allocation};
}

}  // namespace

/// Rank r sits on host r modulo the number of hosts; hosts that are full are skipped. The cyclic
/// placement of MPI launchers (`mpirun --map-by node`).
MapperInfo round_robin() {
  return {.name = "round_robin",
          .summary = "rank r on host r modulo the number of hosts, full hosts skipped",
          .reference = "Open MPI mpirun(1), --map-by node",
          .map = map_round_robin,
          .ignores_traffic = true,
          .work = {.microseconds_per_rank = 0, .microseconds_per_edge = 0}};
}

}  // namespace vtopo::detail::mappers

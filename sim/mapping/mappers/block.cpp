#include "sim/mapping/api/mapper.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

Embedding map_block(const MappingProblem& problem, const SearchControl&) {
  const Allocation& allocation = problem.allocation;
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(problem.guest.num_ranks()));
  std::size_t place = 0;
  for (int used = 0; int_size(hosts) < problem.guest.num_ranks(); ++used) {
    if (used == allocation.slots[place]) {
      ++place;
      used = 0;
    }
    hosts.push_back(allocation.hosts[place]);
  }
  return {std::move(hosts), allocation};
}

}  // namespace

/// Rank r sits in slot r of the allocation: each host is filled before the next one. The default
/// placement of most MPI launchers (`mpirun --map-by slot`).
MapperInfo block() {
  return {.name = "block",
          .summary = "rank r in slot r: fills one host after the other",
          .reference = "Open MPI mpirun(1), --map-by slot",
          .map = map_block,
          .role = MapperRole::baseline,
          .ignores_traffic = true,
          .work = {.microseconds_per_rank = 0, .microseconds_per_edge = 0}};
}

}  // namespace vtopo::detail::mappers

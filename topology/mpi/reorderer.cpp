#include "topology/mpi/constructors.hpp"

#include <optional>
#include <utility>

#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// The old ranks must be distinct ranks of the old communicator, one per new rank.
void check_choice(std::span<const Rank> old_ranks, int num_ranks, int old_size) {
  using enum TopologyCondition;
  if (int_size(old_ranks) != num_ranks) throw mpi_error<reorder_size>(old_ranks.size(), num_ranks);
  IdVector<Rank, std::optional<std::size_t>> new_rank(old_size);
  for (std::size_t r = 0; r < old_ranks.size(); ++r) {
    const Rank old = old_ranks[r];
    if (number(old) < 0 || number(old) >= old_size)
      throw mpi_error<reorder_outside>(r, number(old), old_size - 1);
    if (new_rank[old]) throw mpi_error<reorder_twice>(*new_rank[old], r, number(old));
    new_rank[old] = r;
  }
}

ProcessGroup first_processes(const Communicator& communicator, int size) {
  if (size == communicator.size()) return communicator.group();
  return communicator.group().first(size);
}

}  // namespace

ProcessGroup reordered_group(const Communicator& communicator, const VirtualTopology& topology,
                             const Reorderer& reorder) {
  const int num_ranks = vtopo::num_ranks(topology);
  if (!reorder) return first_processes(communicator, num_ranks);
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(topology, one_byte);
  const auto old_ranks = reorder({communicator, topology, guest});
  check_choice(old_ranks, num_ranks, communicator.size());
  std::vector<ProcessId> processes;
  processes.reserve(old_ranks.size());
  for (const Rank old : old_ranks) processes.push_back(communicator.process(old));
  return ProcessGroup(std::move(processes));
}

}  // namespace vtopo

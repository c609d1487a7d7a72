#include "topology/mpi/communicator.hpp"

#include <optional>
#include <utility>

#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"
#include "topology/mpi/typed_topology.hpp"

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

namespace {

using enum TopologyCondition;

void check_fit(const Cartesian& grid, const Communicator& communicator) {
  if (grid.num_ranks() > communicator.size())
    throw mpi_error<grid_above_group>(grid.num_ranks(), communicator.size());
}

void check_fit(const Graph& graph, const Communicator& communicator) {
  if (graph.num_ranks() > communicator.size())
    throw mpi_error<graph_above_group>(graph.num_ranks(), communicator.size());
}

void check_one_per_rank(std::size_t given, const Communicator& communicator) {
  if (given != index(communicator.size()))
    throw mpi_error<one_choice_per_rank>(given, "lists of edges", communicator.size());
}

Communicator create(const Communicator& communicator, VirtualTopology topology,
                    const Reorderer& reorder) {
  ProcessGroup group = reordered_group(communicator, topology, reorder);
  return Communicator(std::move(group), std::move(topology));
}

/// New rank of each process of `communicator` in a group made of them.
std::vector<std::optional<Rank>> new_ranks(const Communicator& communicator,
                                           const ProcessGroup& group) {
  std::vector<std::optional<Rank>> ranks(index(communicator.size()));
  for (std::size_t r = 0; r < ranks.size(); ++r)
    ranks[r] = group.rank_of(communicator.process(id_at<Rank>(r)));
  return ranks;
}

}  // namespace

Communicator cart_create(const Communicator& communicator, Cartesian grid,
                         const Reorderer& reorder) {
  check_fit(grid, communicator);
  return create(communicator, std::move(grid), reorder);
}

std::optional<Communicator> graph_create(const Communicator& communicator, Graph graph,
                                         const Reorderer& reorder) {
  check_fit(graph, communicator);
  if (graph.num_ranks() == 0) return std::nullopt;
  return create(communicator, std::move(graph), reorder);
}

Communicator dist_graph_create_adjacent(const Communicator& communicator,
                                        std::span<const AdjacentEdges> by_rank,
                                        const Reorderer& reorder) {
  check_one_per_rank(by_rank.size(), communicator);
  return create(communicator, DistGraph(by_rank), reorder);
}

Communicator dist_graph_create(const Communicator& communicator,
                               std::span<const EdgeContribution> by_rank,
                               const Reorderer& reorder) {
  check_one_per_rank(by_rank.size(), communicator);
  return create(communicator, DistGraph(by_rank), reorder);
}

Partition cart_sub(const Communicator& communicator, const std::vector<bool>& remain_dims) {
  const auto& grid = typed_topology<Cartesian>(communicator, "cart_sub");
  const Cartesian subgrid = grid.sub(remain_dims);
  const int num_subgrids = grid.num_ranks() / subgrid.num_ranks();
  std::vector<std::vector<ProcessId>> members(index(num_subgrids));
  for (auto& processes : members) processes.resize(index(subgrid.num_ranks()));
  std::vector<std::optional<std::int32_t>> part_of(index(grid.num_ranks()));
  for (std::size_t r = 0; r < part_of.size(); ++r) {
    const auto [part, rank] = grid.sub_place(remain_dims, id_at<Rank>(r));
    members[index(part)][index(rank)] = communicator.process(id_at<Rank>(r));
    part_of[r] = part;
  }
  std::vector<Communicator> parts;
  parts.reserve(members.size());
  for (auto& processes : members) parts.emplace_back(ProcessGroup(std::move(processes)), subgrid);
  return {std::move(parts), std::move(part_of)};
}

std::vector<std::optional<Rank>> cart_map(const Communicator& communicator, const Cartesian& grid,
                                          const Reorderer& reorder) {
  check_fit(grid, communicator);
  return new_ranks(communicator, reordered_group(communicator, grid, reorder));
}

std::vector<std::optional<Rank>> graph_map(const Communicator& communicator, const Graph& graph,
                                           const Reorderer& reorder) {
  check_fit(graph, communicator);
  if (graph.num_ranks() == 0) return std::vector<std::optional<Rank>>(index(communicator.size()));
  return new_ranks(communicator, reordered_group(communicator, graph, reorder));
}

}  // namespace vtopo

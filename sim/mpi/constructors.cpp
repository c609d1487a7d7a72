// The constructors of process topologies in which each process gives all arguments: arguments to
// values, one call, a communicator from the value.

#include "sim/mpi/construction.hpp"

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/errors.hpp"
#include "topology/mpi/c_binding.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/typed_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

void check_result(const void* result, const char* name) {
  if (result == nullptr) throw mpi_error<TopologyCondition::null_array>(name, "1");
}

ConstructorCall call_of(const char* name, MPI_Comm comm, bool reorder) {
  if (comm == MPI_COMM_NULL) c::checked(nullptr, name);
  ConstructorCall call{name, comm, reorder};
  if (reorder) call.info = info_of(comm);
  return call;
}

std::vector<int> key_of(const Cartesian& grid) {
  std::vector<int> key{0};
  for (const Dimension& dimension : grid.dimensions()) {
    key.push_back(dimension.size);
    key.push_back(dimension.periodic() ? 1 : 0);
  }
  return key;
}

std::vector<int> key_of(const Graph& graph) {
  std::vector<int> key{1};
  for (const int end : graph.index()) key.push_back(end);
  for (const Rank neighbour : graph.edges()) key.push_back(number(neighbour));
  return key;
}

int rank_or_undefined(MPI_Comm comm, const std::vector<std::optional<Rank>>& ranks) {
  const std::optional<Rank> rank = ranks[index(rank_in(comm))];
  return rank ? number(*rank) : MPI_UNDEFINED;
}

}  // namespace

int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int* dims, const int* periods, int reorder,
                    MPI_Comm* comm_cart) {
  return mpi_function(comm_old, [&] {
    ConstructorCall call = call_of("cart_create", comm_old, reorder != 0);
    check_result(comm_cart, "comm_cart");
    *comm_cart = MPI_COMM_NULL;
    const Uncharged own_time;
    const Cartesian grid = c::grid_of(ndims, dims, periods);
    call.key = key_of(grid);
    const auto made = construct(
        call, rank_in(comm_old) == Rank{0},
        [&](const Communicator& old, const Reorderer& r) { return cart_create(old, grid, r); });
    *comm_cart = realise("MPI_Cart_create", comm_old, made);
  });
}

int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int* index, const int* edges, int reorder,
                     MPI_Comm* comm_graph) {
  return mpi_function(comm_old, [&] {
    ConstructorCall call = call_of("graph_create", comm_old, reorder != 0);
    check_result(comm_graph, "comm_graph");
    *comm_graph = MPI_COMM_NULL;
    const Uncharged own_time;
    const Graph graph = c::graph_of(nnodes, index, edges);
    call.key = key_of(graph);
    const auto made = construct(
        call, rank_in(comm_old) == Rank{0},
        [&](const Communicator& old, const Reorderer& r) { return graph_create(old, graph, r); });
    *comm_graph = realise("MPI_Graph_create", comm_old, made);
  });
}

int MPI_Cart_map(MPI_Comm comm, int ndims, const int* dims, const int* periods, int* newrank) {
  return mpi_function(comm, [&] {
    ConstructorCall call = call_of("cart_map", comm, true);
    check_result(newrank, "newrank");
    const Uncharged own_time;
    const Cartesian grid = c::grid_of(ndims, dims, periods);
    call.key = key_of(grid);
    *newrank =
        rank_or_undefined(comm, cart_map(value_of(comm, "cart_map"), grid, reorderer_of(call)));
  });
}

int MPI_Graph_map(MPI_Comm comm, int nnodes, const int* index, const int* edges, int* newrank) {
  return mpi_function(comm, [&] {
    ConstructorCall call = call_of("graph_map", comm, true);
    check_result(newrank, "newrank");
    const Uncharged own_time;
    const Graph graph = c::graph_of(nnodes, index, edges);
    call.key = key_of(graph);
    *newrank =
        rank_or_undefined(comm, graph_map(value_of(comm, "graph_map"), graph, reorderer_of(call)));
  });
}

int MPI_Cart_sub(MPI_Comm comm, const int* remain_dims, MPI_Comm* newcomm) {
  return mpi_function(comm, [&] {
    const Communicator value = value_of(comm, "cart_sub");
    check_result(newcomm, "newcomm");
    *newcomm = MPI_COMM_NULL;
    const Uncharged own_time;
    const std::vector<bool> remain = c::remain_dims_of(&value, remain_dims);
    const auto& grid = std::get<Cartesian>(*value.topology());
    const int part = grid.sub_place(remain, rank_in(comm)).subgrid;
    const auto parts = [&] {
      Parts ranks;
      for (int r = 0; r < value.size(); ++r) {
        const auto to = static_cast<std::size_t>(grid.sub_place(remain, Rank{r}).subgrid);
        if (ranks.size() <= to) ranks.resize(to + 1);
        ranks[to].push_back(r);  // in the order of their ranks there
      }
      return ranks;
    };
    Cartesian subgrid = grid.sub(remain);
    auto by_rank = ProcessGroup::consecutive(ProcessId{0}, subgrid.num_ranks());
    *newcomm = realise("MPI_Cart_sub", comm, parts,
                       std::pair(part, Communicator(std::move(by_rank), std::move(subgrid))));
  });
}

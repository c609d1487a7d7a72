// The constructors of process topologies: arguments to values, one call, a communicator from the
// value. Of distributed graphs each process gives its edges, and process 0 makes the value for all.
// All run in one address space, so pointers travel instead of edges.

#include "sim/mpi/topologies/construction.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "sim/mpi/decision/c_binding.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"
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

/// What a function body left: a value, or an error for all.
template <class Value>
struct Outcome {
  std::optional<Value> value{};
  Ending ending{};

  void run(const std::function<std::optional<Value>()>& body) {
    ending = topology_ending_of([&] { value = body(); });
  }
};

/// Pointers of all processes, at process 0.
template <class Edges>
std::vector<const Outcome<Edges>*> gathered(MPI_Comm comm, const Outcome<Edges>& own) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<const Outcome<Edges>*> all(static_cast<std::size_t>(size));
  const auto* pointer = &own;
  smpi([&] {
    return PMPI_Gather(&pointer, sizeof pointer, MPI_BYTE, all.data(), sizeof pointer, MPI_BYTE, 0,
                       comm);
  });
  return all;
}

/// A list of edges of one process, with its weights.
struct WeightedList {
  std::size_t length;
  Weights* weights;
};

std::vector<WeightedList> lists_of(EdgeContribution& edges) {
  return {{edges.destinations.size(), &edges.weights}};
}
std::vector<WeightedList> lists_of(AdjacentEdges& edges) {
  return {{edges.sources.size(), &edges.source_weights},
          {edges.destinations.size(), &edges.destination_weights}};
}

/// Empty lists are neither weighted nor unweighted: the address of no data may be any, NULL too,
/// which in SMPI is MPI_UNWEIGHTED. They follow the others.
template <class Edges>
void settle_weighting(std::vector<Edges>& all) {
  bool any = false;
  bool weighted = false;
  const auto visit = [&](const auto& with_list) {
    for (Edges& own : all)
      for (const WeightedList& list : lists_of(own)) with_list(list);
  };
  visit([&](const WeightedList& list) {
    any |= list.length > 0;
    weighted |= list.length > 0 && list.weights->has_value();
  });
  if (!any) visit([&](const WeightedList& list) { weighted |= list.weights->has_value(); });
  visit([&](const WeightedList& list) {
    if (list.length > 0) return;
    list.weights->reset();
    if (weighted) list.weights->emplace();
  });
}

/// Edges of all processes.
/// @throws ArgumentError if a process gave wrong ones.
template <class Edges>
std::vector<Edges> edges_of(const std::vector<const Outcome<Edges>*>& all) {
  std::vector<Edges> edges;
  for (const auto* outcome : all) {
    if (!outcome->value) throw ArgumentError(outcome->ending.code, outcome->ending.sentence);
    edges.push_back(*outcome->value);
  }
  settle_weighting(edges);
  return edges;
}

template <class Edges>
using Creator = Communicator (*)(const Communicator&, std::span<const Edges>, const Reorderer&);

template <class Edges>
std::shared_ptr<const Outcome<Communicator>> answer_of(
    ConstructorCall& call, const std::vector<const Outcome<Edges>*>& all, Creator<Edges> create) {
  auto answer = std::make_shared<Outcome<Communicator>>();
  answer->run([&]() -> std::optional<Communicator> {
    const std::vector<Edges> edges = edges_of(all);
    call.info = edges.front().info;
    return construct(call, true, [&](const Communicator& old, const Reorderer& reorder) {
      return create(old, edges, reorder);
    });
  });
  return answer;
}

template <class Edges>
MPI_Comm create_together(const char* name, MPI_Comm comm, bool reorder,
                         const std::function<std::optional<Edges>()>& read, Creator<Edges> create) {
  ConstructorCall call{name, comm, reorder};
  const std::string function = fmt::format("MPI_D{}", name + 1);
  const InCall open(collective_call(function, comm));
  Outcome<Edges> own;
  own.run(read);
  const auto all = gathered(comm, own);
  const auto answer = shared_by_all(comm, [&] { return answer_of(call, all, create); });
  if (answer->ending.code != MPI_SUCCESS)
    throw ArgumentError(answer->ending.code, answer->ending.sentence);
  return realise(function.c_str(), comm, answer->value);
}

/// @param count of weights that will be read: MPI_WEIGHTS_EMPTY is not an array to read from.
c::WeightArray weights_of(const int* weights, int count) {
  if (is_unweighted(weights)) return std::nullopt;
  if (weights == MPI_WEIGHTS_EMPTY && count > 0) return c::WeightArray{nullptr};
  return weights;
}

}  // namespace

int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int* dims, const int* periods, int reorder,
                    MPI_Comm* comm_cart) {
  return topology_function(comm_old, [&] {
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
  return topology_function(comm_old, [&] {
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
  return topology_function(comm, [&] {
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
  return topology_function(comm, [&] {
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
  return topology_function(comm, [&] {
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

int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int* sources,
                                   const int* sourceweights, int outdegree, const int* destinations,
                                   const int* destweights, MPI_Info info, int reorder,
                                   MPI_Comm* comm_dist_graph) {
  return topology_function(comm_old, [&] {
    if (comm_old == MPI_COMM_NULL) c::checked(nullptr, "dist_graph_create_adjacent");
    const Uncharged own_time;
    *comm_dist_graph = MPI_COMM_NULL;
    *comm_dist_graph = create_together<AdjacentEdges>(
        "dist_graph_create_adjacent", comm_old, reorder != 0,
        [&]() -> std::optional<AdjacentEdges> {
          return c::adjacent_edges_of(indegree, sources, weights_of(sourceweights, indegree),
                                      outdegree, destinations, weights_of(destweights, outdegree),
                                      info_of(info));
        },
        dist_graph_create_adjacent);
  });
}

int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int* sources, const int* degrees,
                          const int* destinations, const int* weights, MPI_Info info, int reorder,
                          MPI_Comm* comm_dist_graph) {
  return topology_function(comm_old, [&] {
    if (comm_old == MPI_COMM_NULL) c::checked(nullptr, "dist_graph_create");
    const Uncharged own_time;
    *comm_dist_graph = MPI_COMM_NULL;
    *comm_dist_graph = create_together<EdgeContribution>(
        "dist_graph_create", comm_old, reorder != 0,
        [&]() -> std::optional<EdgeContribution> {
          int edges = 0;
          for (int i = 0; degrees != nullptr && i < n; ++i) edges += degrees[i] > 0 ? 1 : 0;
          return c::edge_contribution_of(n, sources, degrees, destinations,
                                         weights_of(weights, edges), info_of(info));
        },
        dist_graph_create);
  });
}

// The constructors of distributed graphs: each process gives its edges, process 0 makes the value
// for all. All run in one address space, so pointers travel instead of edges.

#include <algorithm>
#include <functional>
#include <span>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/construction.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "topology/mpi/c_binding.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

/// What a function body left: a value, or an error for all.
template <class Value>
struct Outcome {
  std::optional<Value> value{};
  int code = MPI_SUCCESS;
  std::string sentence{};

  void run(const std::function<std::optional<Value>()>& body) {
    try {
      value = body();
    } catch (const MpiError& error) {
      code = code_of(error.error_class());
      sentence = error.what();
    } catch (const ArgumentError& error) {
      code = error.code();
      sentence = error.what();
    } catch (const std::exception& error) {
      code = MPI_ERR_OTHER;
      sentence = error.what();
    }
  }
};

/// What process 0 hands out; the last process to take it deletes it.
struct Answer {
  Outcome<Communicator> outcome;
  int remaining = 0;
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
    if (!outcome->value) throw ArgumentError(outcome->code, outcome->sentence);
    edges.push_back(*outcome->value);
  }
  settle_weighting(edges);
  return edges;
}

template <class Edges>
using Creator = Communicator (*)(const Communicator&, std::span<const Edges>, const Reorderer&);

template <class Edges>
Answer* answer_of(ConstructorCall& call, const std::vector<const Outcome<Edges>*>& all,
                  Creator<Edges> create) {
  auto* answer = new Answer{{}, static_cast<int>(all.size())};
  answer->outcome.run([&]() -> std::optional<Communicator> {
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
  const InCall open(OpenCall{.name = function, .comm = comm, .collective = true});
  Outcome<Edges> own;
  own.run(read);
  const auto all = gathered(comm, own);
  Answer* answer = rank_in(comm) == Rank{0} ? answer_of(call, all, create) : nullptr;
  smpi([&] { return PMPI_Bcast(&answer, sizeof answer, MPI_BYTE, 0, comm); });
  const Outcome<Communicator> outcome = answer->outcome;
  if (--answer->remaining == 0) delete answer;
  if (outcome.code != MPI_SUCCESS) throw ArgumentError(outcome.code, outcome.sentence);
  return realise(function.c_str(), comm, outcome.value);
}

/// @param count of weights that will be read: MPI_WEIGHTS_EMPTY is not an array to read from.
c::WeightArray weights_of(const int* weights, int count) {
  if (is_unweighted(weights)) return std::nullopt;
  if (weights == MPI_WEIGHTS_EMPTY && count > 0) return c::WeightArray{nullptr};
  return weights;
}

}  // namespace

int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int* sources,
                                   const int* sourceweights, int outdegree, const int* destinations,
                                   const int* destweights, MPI_Info info, int reorder,
                                   MPI_Comm* comm_dist_graph) {
  return mpi_function(comm_old, [&] {
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
  return mpi_function(comm_old, [&] {
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

#include <fmt/format.h>

#include "tests/conformance/cases.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

using Lists = std::vector<std::vector<Rank>>;

/// Neighbours of up to `max_ranks` ranks, with self loops and multiple edges.
/// @param symmetric each edge is given by both of its ends.
Lists random_lists(Stage& stage, int max_ranks, bool symmetric) {
  Lists lists(static_cast<std::size_t>(stage.once_in(12) ? 0 : stage.draw(1, max_ranks)));
  if (lists.empty()) return lists;
  const int last = static_cast<int>(lists.size()) - 1;
  for (int edges = stage.draw(0, 3 * last + 1); edges > 0; --edges) {
    const Rank from{stage.draw(0, last)};
    const Rank to{stage.draw(0, last)};
    lists[index(from)].push_back(to);
    if (symmetric && from != to) lists[index(to)].push_back(from);
  }
  for (auto& list : lists) shuffle(std::span(list), stage.random());
  return lists;
}

Words words_of(const Graph& graph) {
  Words words{graph.num_ranks()};
  for (const int end : graph.index()) words.push_back(end);
  for (const Rank neighbour : graph.edges()) words.push_back(number(neighbour));
  return words;
}

void ask_map(Stage& stage, int parent, const Graph& graph) {
  stage.ask("graph_map", parent, words_of(graph), [&](const Caller& caller) -> std::string {
    const auto rank = graph_map(caller.communicator, graph)[index(caller.rank)];
    return rank ? std::to_string(number(*rank)) : "undefined";
  });
}

void ask_arrays(Stage& stage, int slot, const Graph& graph) {
  stage.ask("graphdims_get", slot, {}, [](const Caller& caller) {
    const auto dims = graphdims_get(caller.communicator);
    return fmt::format("{} {}", dims.num_ranks, dims.num_edges);
  });
  const int maxindex = graph.num_ranks();
  const int maxedges = graph.num_edges();
  stage.ask("graph_get", slot, {maxindex, maxedges}, [&](const Caller& caller) {
    const auto arrays = graph_get(caller.communicator, maxindex, maxedges);
    return fmt::format("index {} edges {}", listed(arrays.index), listed(arrays.edges));
  });
}

void ask_neighbours(Stage& stage, int slot, const Graph& graph) {
  const Rank rank{stage.draw(0, graph.num_ranks() - 1)};
  stage.ask("graph_neighbors_count", slot, {number(rank)}, [&](const Caller& caller) {
    return std::to_string(graph_neighbors_count(caller.communicator, rank));
  });
  const int degree = static_cast<int>(graph.neighbours(rank).size());
  const int maxneighbors = stage.once_in(2) ? degree : stage.draw(0, degree);
  stage.ask("graph_neighbors", slot, {number(rank), maxneighbors}, [&](const Caller& caller) {
    return listed(graph_neighbors(caller.communicator, rank, maxneighbors));
  });
}

void ask_all(Stage& stage, int slot, bool symmetric) {
  const auto communicator = stage.any_of(slot);
  if (!communicator) return;
  const auto& graph = std::get<Graph>(*communicator->topology());
  ask_topo_test(stage, slot);
  ask_arrays(stage, slot, graph);
  for (int i = 0; i < 4; ++i) ask_neighbours(stage, slot, graph);
  // Neighbourhood collectives on an asymmetric graph are erroneous.
  if (!symmetric) return;
  ask_neighbor_allgather(stage, slot, NeighbourOrder::as_given);
  ask_neighbor_alltoall(stage, slot);
}

}  // namespace

void graph_case(Stage& stage) {
  const int parent = random_parent(stage);
  const bool symmetric = stage.once_in(2);
  const Graph graph(random_lists(stage, stage.any_of(parent)->size(), symmetric));
  ask_map(stage, parent, graph);
  const int slot = stage.construct("graph_create", parent, words_of(graph), [&](const auto& old) {
    const auto made = graph_create(old, graph);
    std::vector<std::optional<Communicator>> by_rank(static_cast<std::size_t>(graph.num_ranks()),
                                                     made);
    by_rank.resize(static_cast<std::size_t>(old.size()));
    return by_rank;
  });
  ask_all(stage, slot, symmetric);
  ask_comm_compare(stage, slot, parent);
  const int copy = duplicated(stage, slot);
  ask_all(stage, copy, symmetric);
  ask_comm_compare(stage, copy, slot);
}

}  // namespace vtopo::conformance

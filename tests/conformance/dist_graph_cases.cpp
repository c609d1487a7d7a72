#include <fmt/format.h>

#include <algorithm>

#include "tests/conformance/cases.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

std::vector<WeightedEdge> random_edges(Stage& stage, int num_ranks) {
  std::vector<WeightedEdge> edges(static_cast<std::size_t>(stage.draw(0, 3 * num_ranks)));
  for (WeightedEdge& edge : edges)
    edge = {Rank{stage.draw(0, num_ranks - 1)}, Rank{stage.draw(0, num_ranks - 1)},
            static_cast<double>(stage.draw(0, 9))};
  return edges;
}

void append(Words& words, std::span<const Rank> ranks) {
  for (const Rank rank : ranks) words.push_back(number(rank));
}

void append(Words& words, const Weights& weights) {
  if (weights)
    for (const double weight : *weights) words.push_back(static_cast<int>(weight));
}

/// Both ends of each edge give it, each in an order of its own, but equal pairs in the same order.
std::vector<AdjacentEdges> adjacent_edges(Stage& stage, int num_ranks, Weighting weighting) {
  auto edges = random_edges(stage, num_ranks);
  // Edges of one pair have one weight: MPI does not say which of them is which at the other end.
  for (WeightedEdge& edge : edges)
    edge.weight = (7 * number(edge.source) + 3 * number(edge.destination)) % 10;
  std::vector<AdjacentEdges> by_rank(static_cast<std::size_t>(num_ranks));
  if (weighting == Weighting::weighted)
    for (AdjacentEdges& lists : by_rank) lists.source_weights = lists.destination_weights.emplace();
  for (const WeightedEdge& edge : edges) {
    by_rank[index(edge.source)].destinations.push_back(edge.destination);
    if (auto& weights = by_rank[index(edge.source)].destination_weights)
      weights->push_back(edge.weight);
  }
  shuffle(std::span(edges), stage.random());
  for (const WeightedEdge& edge : edges) {
    by_rank[index(edge.destination)].sources.push_back(edge.source);
    if (auto& weights = by_rank[index(edge.destination)].source_weights)
      weights->push_back(edge.weight);
  }
  return by_rank;
}

Words words_of(std::span<const AdjacentEdges> by_rank) {
  Words words{by_rank.front().source_weights.has_value()};
  for (const AdjacentEdges& lists : by_rank) {
    words.push_back(int_size(lists.sources));
    append(words, lists.sources);
    append(words, lists.source_weights);
    words.push_back(int_size(lists.destinations));
    append(words, lists.destinations);
    append(words, lists.destination_weights);
  }
  return words;
}

/// Any rank gives any edges; a source may stand in several places and with no destination.
std::vector<EdgeContribution> contributions(Stage& stage, int num_ranks, Weighting weighting) {
  std::vector<EdgeContribution> by_rank(static_cast<std::size_t>(num_ranks));
  if (weighting == Weighting::weighted)
    for (EdgeContribution& given : by_rank) given.weights.emplace();
  for (const WeightedEdge& edge : random_edges(stage, num_ranks)) {
    EdgeContribution& given = by_rank[static_cast<std::size_t>(stage.draw(0, num_ranks - 1))];
    if (given.sources.empty() || given.sources.back() != edge.source || stage.once_in(4)) {
      given.sources.push_back(edge.source);
      given.degrees.push_back(0);
    }
    if (stage.once_in(8)) continue;
    ++given.degrees.back();
    given.destinations.push_back(edge.destination);
    if (given.weights) given.weights->push_back(edge.weight);
  }
  return by_rank;
}

Words words_of(std::span<const EdgeContribution> by_rank) {
  Words words{by_rank.front().weights.has_value()};
  for (const EdgeContribution& given : by_rank) {
    words.push_back(int_size(given.sources));
    append(words, given.sources);
    words.insert(words.end(), given.degrees.begin(), given.degrees.end());
    append(words, given.destinations);
    append(words, given.weights);
  }
  return words;
}

std::string text_of(const std::vector<Rank>& ranks, const Weights& weights, NeighbourOrder order) {
  std::vector<std::pair<int, int>> edges;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    edges.emplace_back(number(ranks[i]), weights ? static_cast<int>((*weights)[i]) : 0);
  if (order == NeighbourOrder::any) std::sort(edges.begin(), edges.end());
  std::string text;
  for (const auto& [rank, weight] : edges)
    text += weights ? fmt::format(" {}:{}", rank, weight) : fmt::format(" {}", rank);
  return text;
}

void ask_neighbours(Stage& stage, int slot, NeighbourOrder order, int maxin, int maxout) {
  const Words words{order == NeighbourOrder::any ? 1 : 0, maxin, maxout};
  stage.ask("dist_graph_neighbors", slot, words, [&](const Caller& caller) {
    const auto around = dist_graph_neighbors(caller.communicator, caller.rank, maxin, maxout);
    return fmt::format("sources{} destinations{}",
                       text_of(around.sources, around.source_weights, order),
                       text_of(around.destinations, around.destination_weights, order));
  });
}

void ask_all(Stage& stage, int slot, NeighbourOrder order) {
  ask_topo_test(stage, slot);
  stage.ask("dist_graph_neighbors_count", slot, {}, [](const Caller& caller) {
    const auto degrees = dist_graph_neighbors_count(caller.communicator, caller.rank);
    return fmt::format("{} {} {}", degrees.indegree, degrees.outdegree,
                       degrees.weighting == Weighting::weighted ? 1 : 0);
  });
  // More than any rank has.
  static constexpr int all = 40;
  ask_neighbours(stage, slot, order, all, all);
  ask_neighbor_allgather(stage, slot, order);
  // Without an order nobody can say which neighbours come first.
  if (order == NeighbourOrder::any) return;
  const int maxin = stage.draw(0, 4);
  const int maxout = stage.draw(0, 4);
  ask_neighbours(stage, slot, order, maxin, maxout);
  ask_neighbor_alltoall(stage, slot);
}

Weighting random_weighting(Stage& stage) {
  return stage.once_in(3) ? Weighting::unweighted : Weighting::weighted;
}

void ask_of_both(Stage& stage, int slot, int parent, NeighbourOrder order) {
  ask_all(stage, slot, order);
  ask_comm_compare(stage, slot, parent);
  const int copy = duplicated(stage, slot);
  ask_all(stage, copy, order);
  ask_comm_compare(stage, copy, slot);
}

}  // namespace

void dist_graph_adjacent_case(Stage& stage) {
  const int parent = random_parent(stage);
  const int num_ranks = stage.any_of(parent)->size();
  const auto by_rank = adjacent_edges(stage, num_ranks, random_weighting(stage));
  const int slot = stage.construct("dist_graph_create_adjacent", parent, words_of(by_rank),
                                   [&](const Communicator& old) {
                                     return std::vector<std::optional<Communicator>>(
                                         by_rank.size(), dist_graph_create_adjacent(old, by_rank));
                                   });
  ask_of_both(stage, slot, parent, NeighbourOrder::as_given);
}

void dist_graph_case(Stage& stage) {
  const int parent = random_parent(stage);
  const int num_ranks = stage.any_of(parent)->size();
  const auto by_rank = contributions(stage, num_ranks, random_weighting(stage));
  const int slot =
      stage.construct("dist_graph_create", parent, words_of(by_rank), [&](const Communicator& old) {
        return std::vector<std::optional<Communicator>>(by_rank.size(),
                                                        dist_graph_create(old, by_rank));
      });
  ask_of_both(stage, slot, parent, NeighbourOrder::any);
}

}  // namespace vtopo::conformance
